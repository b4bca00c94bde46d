package dev.octroi.sandbox.phone;

import dev.octroi.sandbox.vendor.SandboxAnswer;
import java.util.Map;

/** The vendor's errors, {@code {code, message, more_info, status}}. */
final class Errors {

  private Errors() {}

  static SandboxAnswer of(int status, int code, String message) {
    return SandboxAnswer.status(
        status,
        Map.of("code", code, "message", message, "more_info", "errors/" + code, "status", status));
  }

  static SandboxAnswer notFound() {
    return of(404, 20404, "The requested resource was not found");
  }
}
