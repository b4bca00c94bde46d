package dev.octroi.api.error;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.octroi.api.group.Group.ErrorShape;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
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
 * @param detail what the operator learns besides the message
 */
public record ErrorAnswer(
    int status,
    String code,
    String message,
    boolean flat,
    @Nullable Duration retryAfter,
    @Nullable String detail) {

  /** An error of the gateway itself: no match, 405, 413, 415, capacity. */
  public static ErrorAnswer flat(int status, String message) {
    return new ErrorAnswer(status, "", message, true, null, null);
  }

  /** The same, where there is no more to say than what the status means. */
  public static ErrorAnswer flat(int status) {
    return flat(status, message(status));
  }

  private static String message(int status) {
    return switch (status) {
      case 400 -> "The request is malformed, or broke off.";
      case 404 -> "There is no such path.";
      case 405 -> "The method is not allowed on this path.";
      case 406 -> "The answer is JSON, which the Accept header rules out.";
      case 408 -> "The request took too long to come.";
      case 413 -> "The body is too large.";
      case 414 -> "The address is too long.";
      case 415 -> "The body must be application/json.";
      case 417 -> "What the Expect header asks for is not offered.";
      case 426, 505 -> "This version of HTTP is not spoken here.";
      case 431 -> "The request's headers are too long.";
      default ->
          status < 500 ? "The request cannot be served." : "The gateway cannot serve this now.";
    };
  }

  /** The body of a flat error, for a server whose own errors no filter sees. */
  public byte[] body() {
    return body(ErrorShape.FLAT);
  }

  /** The body in a shape, for an error that is told in a stream, past the filter that shapes. */
  public byte[] body(ErrorShape shape) {
    return ErrorBodies.of(this, shape);
  }

  /** An error in the shape of the group that the path belongs to. */
  public static ErrorAnswer shaped(int status, String code, String message) {
    return new ErrorAnswer(status, code, message, false, null, null);
  }

  public ErrorAnswer retryAfter(@Nullable Duration time) {
    return new ErrorAnswer(status, code, message, flat, time, detail);
  }

  ErrorAnswer because(@Nullable String what) {
    return new ErrorAnswer(status, code, message, flat, retryAfter, what);
  }

  /** The message, and what the operator learns besides. */
  String reason() {
    return detail == null ? message : message + ": " + detail;
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

  /**
   * An error whose body has the shape of a protocol already.
   *
   * @param reason why the call failed, for the operator
   */
  public record Written(byte[] body, String reason) {}

  /** The bytes of an error body in each shape. */
  static final class ErrorBodies {

    private static final JsonFactory JSON = new JsonFactory();

    private ErrorBodies() {}

    static byte[] of(ErrorAnswer error, ErrorShape shape) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
      try (JsonGenerator json = JSON.createGenerator(bytes)) {
        json.writeStartObject();
        switch (shape) {
          case FLAT -> json.writeStringField("error", error.message());
          case NESTED -> nested(json, error);
          case RELAY -> {
            openRelay(json, error, "server_error", "server_error");
            json.writeEndObject();
          }
          case MESSAGES -> {
            json.writeStringField("type", "error");
            openRelay(json, error, "api_error", "overloaded_error");
            details(json, error.code());
            json.writeEndObject();
          }
        }
        json.writeEndObject();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return bytes.toByteArray();
    }

    private static void nested(JsonGenerator json, ErrorAnswer error) throws IOException {
      json.writeObjectFieldStart("error");
      json.writeStringField("code", error.code());
      json.writeStringField("message", error.message());
      json.writeEndObject();
    }

    /**
     * @param failed the vendor's word for a failure of the gateway
     * @param overloaded its word for 503
     */
    private static void openRelay(
        JsonGenerator json, ErrorAnswer error, String failed, String overloaded)
        throws IOException {
      json.writeObjectFieldStart("error");
      json.writeStringField("message", error.message());
      json.writeStringField("type", type(error.status(), failed, overloaded));
      json.writeStringField("code", error.code());
    }

    /** Where the vendor's SDK reads the code. */
    private static void details(JsonGenerator json, String code) throws IOException {
      if (!code.isEmpty()) {
        json.writeObjectFieldStart("details");
        json.writeStringField("error_code", code);
        json.writeEndObject();
      }
    }

    /** The vendors' word for a status. */
    private static String type(int status, String failed, String overloaded) {
      return switch (status) {
        case 401 -> "authentication_error";
        case 403 -> "permission_error";
        case 404 -> "not_found_error";
        case 429 -> "rate_limit_error";
        case 503 -> overloaded;
        default -> status < 500 ? "invalid_request_error" : failed;
      };
    }
  }
}
