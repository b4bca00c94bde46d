package dev.octroi.services.cryptodata;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The group's own codes for the vendor's errors (specification, service error codes). */
final class VendorErrors {

  private static final int LONGEST_MESSAGE = 300;

  private VendorErrors() {}

  /**
   * What a caller of a read is told. Only the vendor itself knows that something is not there: a
   * 404 without its message is a server's on the way, and one to a read that names nothing is no
   * answer either.
   *
   * @param names whether the caller named something
   */
  static Failure ofRead(UpstreamAnswer answer, boolean names) {
    return switch (answer.status()) {
      case 400, 413, 414, 422 ->
          Failure.invalid(message(answer).orElse("A parameter is not accepted"));
      case 404, 410 ->
          names && isVendors(answer) ? unknown(error(answer, "message")) : Failures.of(answer);
      default -> Failures.of(answer);
    };
  }

  /**
   * What a caller of SQL is told: what would be a bad parameter is bad SQL.
   *
   * @param words says it in the caller's names of tables
   */
  static Failure ofSql(UpstreamAnswer answer, UnaryOperator<String> words) {
    if (timedOut(answer)) {
      return queryTimeout();
    }
    int status = answer.status();
    if (status == 400 || status == 422 || (status == 404 && isVendors(answer))) {
      return new Failure(
          ErrorCode.SQL_SYNTAX_ERROR,
          message(answer).map(words).orElse("The statement is not accepted"));
    }
    return ofRead(answer, false);
  }

  /** What a caller of a structured query is told. */
  static Failure ofQuery(UpstreamAnswer answer) {
    return timedOut(answer) ? queryTimeout() : ofRead(answer, true);
  }

  static Failure queryTimeout() {
    return new Failure(ErrorCode.QUERY_TIMEOUT, "The query ran for more than 30 seconds");
  }

  /**
   * What a caller is told who named something that is not there.
   *
   * @param reason the vendor's, or blank
   */
  static Failure unknown(String reason) {
    String told = "There is nothing of that slug, address, pair or id";
    return new Failure(ErrorCode.NOT_FOUND, isFit(reason) ? told + ": " + reason.strip() : told);
  }

  /** What a caller is told who named a page without a word. */
  static Failure wordless() {
    return Failure.invalid("url has no words to be read");
  }

  private static boolean timedOut(UpstreamAnswer answer) {
    String code = error(answer, "code").toLowerCase(Locale.ROOT);
    return answer.status() == 408 || answer.status() == 504 || code.contains("timeout");
  }

  private static boolean isVendors(UpstreamAnswer answer) {
    return !error(answer, "message").isBlank();
  }

  /** The vendor's words, where they are short and hold no address. */
  private static Optional<String> message(UpstreamAnswer answer) {
    return Optional.of(error(answer, "message")).filter(VendorErrors::isFit);
  }

  private static boolean isFit(String message) {
    return !message.isBlank()
        && message.length() <= LONGEST_MESSAGE
        && !message.contains("://")
        && message.chars().noneMatch(Character::isISOControl);
  }

  private static String error(UpstreamAnswer answer, String member) {
    return UpstreamJson.tree(answer.body()).path("error").path(member).asText("");
  }
}
