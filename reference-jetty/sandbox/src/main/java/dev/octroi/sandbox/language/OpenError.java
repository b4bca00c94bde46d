package dev.octroi.sandbox.language;

import dev.octroi.sandbox.contract.Violation;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The errors of the vendors of chat and responses. */
final class OpenError {

  private OpenError() {}

  static Map<String, @Nullable Object> of(
      int status, String parameter, String code, String message) {
    Json error =
        Json.object()
            .with("message", message)
            .with("type", type(status, code))
            .with("param", parameter.isEmpty() ? null : parameter)
            .with("code", code.isEmpty() ? null : code);
    return Json.object().with("error", error.map()).map();
  }

  /** How these vendors word what their contract refuses. */
  static VendorRefusal refusal(Violation violation) {
    String name = violation.dotted().replaceAll("\\.(\\d+)", "[$1]");
    return switch (violation.kind()) {
      case UNKNOWN ->
          new VendorRefusal(400, name, "unknown_parameter", "Unknown parameter: '" + name + "'.");
      case MISSING ->
          new VendorRefusal(
              400,
              name,
              "missing_required_parameter",
              "Missing required parameter: '" + name + "'.");
      case TYPE ->
          new VendorRefusal(
              400, name, "invalid_type", "Invalid type for '" + name + "': " + violation.message());
      default ->
          new VendorRefusal(
              400, name, "invalid_value", "Invalid '" + name + "': " + violation.message());
    };
  }

  private static String type(int status, String code) {
    if (code.equals("insufficient_quota")) {
      return code;
    }
    return switch (status) {
      case 429 -> "rate_limit_error";
      case 401 -> "authentication_error";
      case 403 -> "permission_error";
      default -> status < 500 ? "invalid_request_error" : "server_error";
    };
  }
}
