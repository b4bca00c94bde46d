package dev.octroi.api.house;

import dev.octroi.api.error.ErrorAnswer;
import jakarta.ws.rs.WebApplicationException;
import java.time.Duration;

/** Refusals of the gateway's own endpoints, in the flat shape (decisions, error shapes). */
public final class Refused {

  private static final Duration PAUSE = Duration.ofSeconds(5);

  private Refused() {}

  /** 400: the request is wrong, and the sentence says where. */
  public static WebApplicationException invalid(String sentence) {
    return of(400, sentence);
  }

  /** 404: there is no such thing, or it is not the caller's. */
  public static WebApplicationException unknown(String sentence) {
    return of(404, sentence);
  }

  /** 429: others are at work, and it is worth asking again. */
  public static WebApplicationException busy(String sentence) {
    return new WebApplicationException(
        ErrorAnswer.flat(429, sentence).retryAfter(PAUSE).response());
  }

  public static WebApplicationException of(int status, String sentence) {
    return new WebApplicationException(ErrorAnswer.flat(status, sentence).response());
  }
}
