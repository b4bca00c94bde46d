package dev.octroi.api.house;

import dev.octroi.api.error.ErrorAnswer;
import jakarta.ws.rs.WebApplicationException;

/** Refusals of the gateway's own endpoints, in the flat shape (decisions, error shapes). */
public final class Refused {

  private Refused() {}

  /** 400: the request is wrong, and the sentence says where. */
  public static WebApplicationException invalid(String sentence) {
    return of(400, sentence);
  }

  /** 404: there is no such thing, or it is not the caller's. */
  public static WebApplicationException unknown(String sentence) {
    return of(404, sentence);
  }

  public static WebApplicationException of(int status, String sentence) {
    return new WebApplicationException(ErrorAnswer.flat(status, sentence).response());
  }
}
