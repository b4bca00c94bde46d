package dev.octroi.api.error;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.octroi.api.group.ErrorShape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The bytes of an error body in each shape. */
final class ErrorBodies {

  private static final JsonFactory JSON = new JsonFactory();

  private ErrorBodies() {}

  static byte[] of(ErrorAnswer error, ErrorShape shape) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      switch (shape) {
        case FLAT -> json.writeStringField("error", error.message());
        case NESTED -> nested(json, error);
        case RELAY -> relay(json, error);
        case MESSAGES -> {
          json.writeStringField("type", "error");
          relay(json, error);
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

  private static void relay(JsonGenerator json, ErrorAnswer error) throws IOException {
    json.writeObjectFieldStart("error");
    json.writeStringField("message", error.message());
    json.writeStringField("type", type(error.status()));
    json.writeStringField("code", error.code());
    json.writeEndObject();
  }

  /** The vendors' word for a status. */
  private static String type(int status) {
    return switch (status) {
      case 401 -> "authentication_error";
      case 403 -> "permission_error";
      case 404 -> "not_found_error";
      case 429 -> "rate_limit_error";
      default -> status < 500 ? "invalid_request_error" : "api_error";
    };
  }
}
