package dev.octroi.services.prediction;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reading the vendor's bodies and writing the stated records. Numbers stay decimal throughout: what
 * the vendor spelled 0.620 leaves as 0.620. What a body lacks is null, never invented.
 */
final class VendorJson {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();
  private static final ObjectWriter WRITER = MAPPER.writer();

  private VendorJson() {}

  /**
   * Parses an answer that a record is to be made of.
   *
   * @throws Failure 502 for anything but a JSON object
   */
  static JsonNode object(byte[] body) {
    return parsed(body).orElseThrow(VendorJson::rubbish);
  }

  /** The JSON object, if it is one. */
  static Optional<JsonNode> parsed(byte[] body) {
    try {
      return Optional.ofNullable(MAPPER.readTree(body)).filter(JsonNode::isObject);
    } catch (IOException malformed) {
      return Optional.empty();
    }
  }

  /**
   * The list that an answer is about.
   *
   * @throws Failure 502 when the vendor's contract is broken and there is none
   */
  static JsonNode list(JsonNode object, String name) {
    JsonNode list = object.path(name);
    if (!list.isArray()) {
      throw rubbish();
    }
    return list;
  }

  /** The list of what a function makes of each element. */
  static ArrayNode each(JsonNode list, Function<JsonNode, JsonNode> function) {
    ArrayNode made = JsonNodeFactory.instance.arrayNode(list.size());
    list.forEach(element -> made.add(function.apply(element)));
    return made;
  }

  static ObjectNode record() {
    return JsonNodeFactory.instance.objectNode();
  }

  static byte[] bytes(JsonNode record) {
    try {
      return WRITER.writeValueAsBytes(record);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("A JSON tree can always be written", impossible);
    }
  }

  /** The member at a path of names, null where any of them is missing. */
  static JsonNode at(JsonNode object, String... names) {
    JsonNode found = object;
    for (String name : names) {
      found = found.path(name);
    }
    return found.isMissingNode() ? NullNode.getInstance() : found;
  }

  /** The first of these members that has a value. */
  static JsonNode first(JsonNode object, String... names) {
    for (String name : names) {
      if (object.hasNonNull(name)) {
        return object.path(name);
      }
    }
    return NullNode.getInstance();
  }

  static JsonNode number(BigDecimal value) {
    return JsonNodeFactory.instance.numberNode(value);
  }

  static JsonNode text(String value) {
    return JsonNodeFactory.instance.textNode(value);
  }

  private static Failure rubbish() {
    return new Failure(ErrorCode.UPSTREAM_FAILED, "The upstream's answer could not be read");
  }
}
