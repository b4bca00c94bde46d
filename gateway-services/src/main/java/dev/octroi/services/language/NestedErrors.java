package dev.octroi.services.language;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Errors in the nested shape (specification, Errors), which two of the protocols share. */
public final class NestedErrors {

  private NestedErrors() {}

  /** Some hosts wrap the body in a list, and some write the message in place of the object. */
  public static Problem read(int status, byte[] body) {
    JsonNode tree = LanguageJson.tree(body);
    JsonNode one = tree.isArray() ? tree.path(0) : tree;
    JsonNode error = one.path("error");
    return error.isTextual()
        ? Problem.of(status, error.textValue(), one.path("code").textValue())
        : problem(status, error);
  }

  /** An error that came in a stream, where its words tell its kind. */
  public static Problem streamed(JsonNode error) {
    String words = error.path("type").asText("") + " " + error.path("code").asText("");
    return problem(kind(words).status(), error);
  }

  private static Problem problem(int status, JsonNode error) {
    String message = error.path("message").asText("");
    return new Problem(
        Problem.Kind.of(status),
        status,
        message.isEmpty() ? "The upstream failed" : message,
        error.path("param").textValue(),
        error.path("code").textValue());
  }

  private static Problem.Kind kind(String words) {
    if (words.contains("rate_limit")) {
      return Problem.Kind.RATE_LIMIT;
    }
    if (words.contains("invalid")) {
      return Problem.Kind.INVALID_REQUEST;
    }
    return words.contains("overloaded") ? Problem.Kind.OVERLOADED : Problem.Kind.FAILED;
  }

  public static byte[] write(Problem problem) {
    return LanguageJson.bytes(tree(problem));
  }

  public static ObjectNode tree(Problem problem) {
    ObjectNode tree = LanguageJson.object();
    tree.putObject("error")
        .put("message", problem.message())
        .put("type", type(problem.kind()))
        .put("param", problem.param())
        .put("code", problem.code());
    return tree;
  }

  private static String type(Problem.Kind kind) {
    return switch (kind) {
      case INVALID_REQUEST, TOO_LARGE, NOT_FOUND -> "invalid_request_error";
      case AUTHENTICATION -> "authentication_error";
      case BILLING -> "insufficient_quota";
      case PERMISSION -> "permission_error";
      case RATE_LIMIT -> "rate_limit_error";
      case FAILED, UPSTREAM, OVERLOADED, TIMEOUT -> "server_error";
    };
  }
}
