package dev.octroi.services.music;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import java.time.Duration;

/** The vendor's failures, most of which it hides in a 200 with a code of its own. */
final class MusicFailures {

  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  private MusicFailures() {}

  /**
   * Looks whether an answer is one.
   *
   * @throws Failure if it is none
   */
  static void check(JsonNode answer, UpstreamAnswer said) {
    JsonNode code = UpstreamJson.at(answer, "base_resp", "status_code");
    if (!code.isInt()) {
      throw Failures.rubbish(null);
    }
    switch (code.intValue()) {
      case 0 -> {
        // A success.
      }
      case 1002, 1039 -> throw tooMany(said);
      case 1026, 1027 ->
          throw new Failure(
              ErrorCode.CONTENT_FILTERED, "The content filter does not let this be made.");
      case 2013 -> throw refused();
      default -> throw failed();
    }
  }

  static Failure of(UpstreamAnswer said) {
    return switch (said.status()) {
      case 400, 413, 422 -> refused();
      case 429 -> tooMany(said);
      default -> Failures.of(said);
    };
  }

  /** Our key, our balance and the vendor's own troubles are not the caller's business. */
  private static Failure failed() {
    return new Failure(ErrorCode.UPSTREAM_FAILED, "The track could not be made.");
  }

  private static Failure refused() {
    return new Failure(ErrorCode.INVALID_PARAMS, "The vendor does not accept a parameter.");
  }

  private static Failure tooMany(UpstreamAnswer said) {
    return new Failure(
        ErrorCode.RATE_LIMITED,
        "Too many tracks are asked for at the moment.",
        said.retryAfter().orElse(A_MINUTE),
        null);
  }
}
