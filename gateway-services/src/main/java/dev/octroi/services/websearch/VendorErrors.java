package dev.octroi.services.websearch;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import java.util.Set;

/** The group's own codes for the vendor's errors, {@code {requestId, error, tag}}. */
final class VendorErrors {

  private static final int LONGEST_MESSAGE = 300;

  /** What the vendor says of an address that it cannot read. */
  private static final Set<String> UNREADABLE =
      Set.of(
          "CRAWL_NOT_FOUND",
          "CRAWL_TIMEOUT",
          "CRAWL_LIVECRAWL_TIMEOUT",
          "CRAWL_UNKNOWN_ERROR",
          "SOURCE_NOT_AVAILABLE",
          "UNSUPPORTED_URL",
          "INVALID_URLS");

  private VendorErrors() {}

  static Failure of(UpstreamAnswer answer) {
    if (UNREADABLE.contains(text(answer, "tag"))) {
      return unreachable();
    }
    return switch (answer.status()) {
      case 400, 413, 422 -> Failure.invalid(message(answer));
      default -> Failures.of(answer);
    };
  }

  static Failure unreachable() {
    return new Failure(ErrorCode.URL_UNREACHABLE, "No such page could be fetched");
  }

  /** The vendor's words, where they are short and hold no address. */
  private static String message(UpstreamAnswer answer) {
    String message = text(answer, "error");
    boolean fit =
        !message.isBlank()
            && message.length() <= LONGEST_MESSAGE
            && !message.contains("://")
            && message.chars().noneMatch(Character::isISOControl);
    return fit ? message : "A parameter is not accepted";
  }

  private static String text(UpstreamAnswer answer, String member) {
    return UpstreamJson.tree(answer.body()).path(member).asText("");
  }
}
