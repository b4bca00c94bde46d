package dev.octroi.api.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.catalogue.Operation;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/**
 * The HTTP request that a call of a tool is.
 *
 * @param target path below the application and query, encoded
 * @param headers what the operation wants said
 */
record ToolRequest(
    String method, String target, Map<String, String> headers, Optional<byte[]> body) {

  private static final String STREAM = "stream";

  /**
   * The request for these arguments.
   *
   * @throws IllegalArgumentException with a sentence for the caller where there can be none
   */
  static ToolRequest of(Operation operation, ObjectNode arguments) {
    if (arguments.path(STREAM).asBoolean()) {
      throw new IllegalArgumentException("The answer of a tool is whole: leave stream out.");
    }
    String path = operation.row().path();
    for (String name : operation.pathParameters()) {
      String value = text(arguments.path(name));
      if (value.isEmpty()) {
        throw new IllegalArgumentException("The argument '" + name + "' is missing.");
      }
      path = path.replace("{" + name + "}", encoded(value));
    }
    ObjectNode rest = arguments.deepCopy().without(operation.pathParameters());
    return operation.hasBody()
        ? new ToolRequest("POST", path, operation.headers(), Optional.of(bytes(rest)))
        : new ToolRequest("GET", path + query(rest), operation.headers(), Optional.empty());
  }

  private static byte[] bytes(ObjectNode body) {
    return ToolJson.INSTANCE.bytes(body);
  }

  private static String query(ObjectNode arguments) {
    StringJoiner pairs = new StringJoiner("&", "?", "").setEmptyValue("");
    arguments
        .properties()
        .forEach(
            argument -> {
              if (!argument.getValue().isNull()) {
                pairs.add(encoded(argument.getKey()) + "=" + encoded(text(argument.getValue())));
              }
            });
    return pairs.toString();
  }

  private static String text(JsonNode value) {
    if (value.isArray()) {
      return value.valueStream().map(ToolRequest::text).collect(Collectors.joining(","));
    }
    return value.isObject() ? value.toString() : value.asText();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
