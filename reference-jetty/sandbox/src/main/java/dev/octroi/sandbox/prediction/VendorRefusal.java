package dev.octroi.sandbox.prediction;

import dev.octroi.sandbox.vendor.SandboxAnswer;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A call that the vendor refuses, with the answer in the vendor's shape. */
final class VendorRefusal extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient SandboxAnswer answer;

  private VendorRefusal(SandboxAnswer answer) {
    super("status " + answer.status(), null, false, false);
    this.answer = answer;
  }

  SandboxAnswer answer() {
    return answer;
  }

  static VendorRefusal of(int status, String error, String message) {
    Row detail = Row.of("error", error, "message", message);
    return new VendorRefusal(SandboxAnswer.status(status, Row.of("detail", detail)));
  }

  static VendorRefusal badRequest(String error, String message) {
    return of(400, error, message);
  }

  static VendorRefusal notFound(String what, String id) {
    return of(404, what + " not found", "No " + what.toLowerCase(Locale.ROOT) + " " + id);
  }

  /** The market is resolved, so data of its trading no longer exists. */
  static VendorRefusal marketClosed(String id) {
    return of(400, "Market closed", "Market " + id + " is resolved; its trading data is gone");
  }

  /** A parameter of the wrong form: the vendor's validation shape. */
  static VendorRefusal invalid(String place, String name, String message, String type) {
    Row fault = Row.of("loc", List.of(place, name), "msg", message, "type", type);
    return new VendorRefusal(SandboxAnswer.status(422, Row.of("detail", List.of(fault))));
  }

  static VendorRefusal tooManyRequests() {
    Row body =
        Row.of(
            "error",
            "Too Many Requests",
            "message",
            "Rate limit exceeded. Please wait before making more requests.");
    Map<String, String> headers =
        Map.of("RateLimit-Limit", "20", "RateLimit-Remaining", "0", "RateLimit-Reset", "1");
    return new VendorRefusal(new SandboxAnswer(429, body, headers));
  }
}
