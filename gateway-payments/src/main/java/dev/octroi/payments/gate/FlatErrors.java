package dev.octroi.payments.gate;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;

/**
 * Errors of the gate itself, in the flat shape {@code {"error": "…"}} (decisions, error shapes).
 */
final class FlatErrors {

  private static final String RETRY_SECONDS = "1";

  private FlatErrors() {}

  static Response of(int status, String sentence) {
    return with(status, sentence).build();
  }

  /** 503: nothing was decided, and the same request may be sent again. */
  static Response busy(String sentence) {
    return retry(503, sentence);
  }

  static Response retry(int status, String sentence) {
    return with(status, sentence).header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS).build();
  }

  static Response brokenRequest() {
    return of(400, "The request's body broke off or cannot be read.");
  }

  static Response headNotAllowed() {
    return with(405, "HEAD is not served on a paid resource.")
        .header(HttpHeaders.ALLOW, "GET, OPTIONS")
        .build();
  }

  private static Response.ResponseBuilder with(int status, String sentence) {
    String json =
        "{\"error\":\""
            + new String(JsonStringEncoder.getInstance().quoteAsString(sentence))
            + "\"}";
    return Response.status(status)
        .entity(json.getBytes(StandardCharsets.UTF_8))
        .type(MediaType.APPLICATION_JSON_TYPE)
        .header(HttpHeaders.CACHE_CONTROL, "no-store");
  }
}
