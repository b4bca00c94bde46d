package dev.octroi.sandbox.language;

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
