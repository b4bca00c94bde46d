package dev.octroi.services.language.messages;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.Problem.Kind;
import java.util.Map;

/**
 * Errors in the vendor's shape, with the code that the other nested errors of the specification
 * have.
 */
final class MessagesErrors {

  private static final Map<Kind, String> TYPES =
      Map.ofEntries(
          Map.entry(Kind.INVALID_REQUEST, "invalid_request_error"),
          Map.entry(Kind.AUTHENTICATION, "authentication_error"),
          Map.entry(Kind.BILLING, "billing_error"),
          Map.entry(Kind.PERMISSION, "permission_error"),
          Map.entry(Kind.NOT_FOUND, "not_found_error"),
          Map.entry(Kind.TOO_LARGE, "request_too_large"),
          Map.entry(Kind.RATE_LIMIT, "rate_limit_error"),
          Map.entry(Kind.FAILED, "api_error"),
          Map.entry(Kind.UPSTREAM, "api_error"),
          Map.entry(Kind.OVERLOADED, "overloaded_error"),
          Map.entry(Kind.TIMEOUT, "timeout_error"));

  /**
   * A conversation that the vendor keeps. Its SDK reads from the error's details that it is not
   * served, and sends the whole conversation instead.
   */
  private static final String THREAD = "thread";

  private MessagesErrors() {}

  static Problem read(int status, byte[] body) {
    JsonNode error = LanguageJson.tree(body).path("error");
    return problem(status, error);
  }

  /** An error that came in a stream, where no status tells its kind. */
  static Problem streamed(JsonNode error) {
    return problem(kind(error.path("type").asText("")).status(), error);
  }

  private static Problem problem(int status, JsonNode error) {
    String message = error.path("message").asText("");
    return Problem.of(
        status,
        message.isEmpty() ? "The upstream failed" : message,
        error.path("code").textValue());
  }

  static byte[] write(Problem problem) {
    return LanguageJson.bytes(tree(problem));
  }

  static ObjectNode tree(Problem problem) {
    ObjectNode tree = LanguageJson.object().put("type", "error");
    ObjectNode error =
        tree.putObject("error")
            .put("type", TYPES.get(problem.kind()))
            .put("message", problem.message());
    if (problem.kind() == Kind.INVALID_REQUEST && THREAD.equals(problem.param())) {
      error.put("code", problem.code());
      details(error, "thread_unsupported_request").putArray("unsupported").add(THREAD);
    } else if (problem.code() != null) {
      error.put("code", problem.code());
      details(error, problem.code());
    }
    return tree;
  }

  /** Where the vendor's SDK reads the code. */
  private static ObjectNode details(ObjectNode error, String code) {
    return error.putObject("details").put("error_code", code);
  }

  private static Kind kind(String type) {
    return TYPES.entrySet().stream()
        .filter(entry -> entry.getValue().equals(type) && entry.getKey() != Kind.UPSTREAM)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(Kind.FAILED);
  }
}
