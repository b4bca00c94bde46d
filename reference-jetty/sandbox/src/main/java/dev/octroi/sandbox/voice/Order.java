package dev.octroi.sandbox.voice;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** A call as it was ordered. */
record Order(
    String from,
    String to,
    String task,
    Optional<String> firstSentence,
    boolean waitForGreeting,
    int maxMinutes,
    Optional<String> webhook,
    Map<String, Object> metadata) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads an order as the vendor does.
   *
   * @throws Invalid with what is wrong with it
   */
  static Order read(byte[] body) {
    JsonNode order = tree(body);
    String to = order.path("phone_number").asText("");
    String from = order.path("from").asText("");
    String task = order.path("task").asText("");
    if (from.isEmpty()) {
      throw new Invalid("from must be a number that you own");
    }
    return new Order(
        from,
        to,
        task,
        Optional.ofNullable(order.path("first_sentence").textValue()),
        order.path("wait_for_greeting").asBoolean(false),
        order.path("max_duration").asInt(30),
        Optional.ofNullable(order.path("webhook").textValue()),
        metadata(order.path("metadata")));
  }

  static JsonNode tree(byte[] body) {
    try {
      JsonNode tree = JSON.readTree(body);
      if (tree != null && tree.isObject()) {
        return tree;
      }
    } catch (IOException malformed) {
      // refused below, as everything that is no object
    }
    throw new Invalid("the body must be a JSON object");
  }

  private static Map<String, Object> metadata(JsonNode given) {
    return given.isObject()
        ? JSON.convertValue(
            given, JSON.getTypeFactory().constructMapType(Map.class, String.class, Object.class))
        : Map.of();
  }

  /** A request that the vendor refuses. */
  static final class Invalid extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Invalid(String message) {
      super(message, null, false, false);
    }
  }
}
