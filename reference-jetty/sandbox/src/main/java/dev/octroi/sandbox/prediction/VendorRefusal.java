package dev.octroi.sandbox.prediction;

import dev.octroi.sandbox.contract.Violation;
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

  /** What the vendor's framework says of a path or method that it does not have. */
  static VendorRefusal noSuchPath() {
    return new VendorRefusal(SandboxAnswer.status(404, Row.of("detail", "Not Found")));
  }

  /** What the vendor says of a request that its contract refuses. */
  static VendorRefusal of(Violation violation) {
    return switch (violation.kind()) {
      case UNAUTHORIZED -> of(401, "Unauthorized", violation.message());
      case NO_PATH -> noSuchPath();
      case NO_METHOD ->
          new VendorRefusal(SandboxAnswer.status(405, Row.of("detail", "Method Not Allowed")));
      case COMBINATION -> badRequest("Invalid parameters", violation.message());
      default ->
          violation.name().isEmpty() && violation.kind() == Violation.Kind.MISSING
              ? badRequest("Invalid parameters", violation.message())
              : invalid(
                  violation.where().name().toLowerCase(Locale.ROOT),
                  violation.dotted(),
                  "Input " + violation.message(),
                  type(violation));
    };
  }

  private static String type(Violation violation) {
    return switch (violation.kind()) {
      case UNREADABLE -> "json_invalid";
      case MISSING -> "missing";
      case UNKNOWN -> "extra_forbidden";
      case VALUE -> "enum";
      case BOUND ->
          violation.message().contains("at least") ? "greater_than_equal" : "less_than_equal";
      default -> violation.message().contains("integer") ? "int_parsing" : "type";
    };
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
