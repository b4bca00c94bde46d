package dev.octroi.api.error;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An error before it has a shape: which one it gets depends on the path and is decided by {@link
 * ErrorShapes} on the way out.
 *
 * @param status HTTP status, 400 and above
 * @param code diagnostic word such as {@code invalid_params}
 * @param message for the caller
 * @param flat whether it is the gateway's own and never shaped by a group
 * @param retryAfter what {@code Retry-After} says, in whole seconds, rounded up
 */
public record ErrorAnswer(
    int status, String code, String message, boolean flat, @Nullable Duration retryAfter) {

  /** An error of the gateway itself: no match, 405, 413, 415, capacity. */
  public static ErrorAnswer flat(int status, String message) {
    return new ErrorAnswer(status, "", message, true, null);
  }

  /** An error in the shape of the group that the path belongs to. */
  public static ErrorAnswer shaped(int status, String code, String message) {
    return new ErrorAnswer(status, code, message, false, null);
  }

  public ErrorAnswer retryAfter(@Nullable Duration time) {
    return new ErrorAnswer(status, code, message, flat, time);
  }

  /** The response, its body still to be shaped. */
  public Response response() {
    Response.ResponseBuilder response =
        Response.status(status)
            .entity(this)
            .type(MediaType.APPLICATION_JSON_TYPE)
            .header(HttpHeaders.CACHE_CONTROL, "no-store");
    if (retryAfter != null) {
      response.header(HttpHeaders.RETRY_AFTER, Math.max(1, (retryAfter.toMillis() + 999) / 1000));
    }
    return response.build();
  }
}
