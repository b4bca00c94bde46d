package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The value that the model puts where a schema asks for one: words of the prompt where they fit,
 * else the least that is valid. Knows the part of JSON Schema that vendors take for tools.
 */
final class SampleJson {

  private static final int DEEPEST = 12;
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}");
  private static final Pattern QUOTED = Pattern.compile("[\"“']([^\"”']{1,200})[\"”']");

  private final JsonNode root;
  private final String prompt;

  private SampleJson(JsonNode root, String prompt) {
    this.root = root;
    this.prompt = prompt;
  }

  static JsonNode of(JsonNode schema, String prompt) {
    return new SampleJson(schema, prompt).value(schema, 0);
  }

  private JsonNode value(JsonNode schema, int depth) {
    if (depth > DEEPEST) {
      return JSON.nullNode();
    }
    if (schema.has("$ref")) {
      return value(root.at(schema.get("$ref").asText("#").substring(1)), depth + 1);
    }
    if (schema.has("const")) {
      return schema.get("const");
    }
    if (schema.path("enum").isArray() && !schema.get("enum").isEmpty()) {
      return chosen(schema.get("enum"));
    }
    for (String choice : new String[] {"anyOf", "oneOf", "allOf"}) {
      if (schema.path(choice).isArray() && !schema.get(choice).isEmpty()) {
        return value(schema.get(choice).get(0), depth + 1);
      }
    }
    return typed(schema, depth);
  }

  private JsonNode typed(JsonNode schema, int depth) {
    JsonNode type = schema.path("type");
    String name = type.isArray() ? type.path(0).asText() : type.asText();
    return switch (name) {
      case "string" -> JSON.textNode(text(schema));
      case "integer", "number" -> JSON.numberNode(number(schema));
      case "boolean" -> JSON.booleanNode(true);
      case "array" -> array(schema, depth);
      case "null" -> JSON.nullNode();
      default -> object(schema, depth);
    };
  }

  /** The prompt's own word where it says one of them. */
  private JsonNode chosen(JsonNode words) {
    for (JsonNode word : words) {
      if (word.isTextual() && prompt.contains(word.textValue())) {
        return word;
      }
    }
    return words.get(0);
  }

  private ObjectNode object(JsonNode schema, int depth) {
    Set<String> required = new HashSet<>();
    schema.path("required").forEach(name -> required.add(name.asText()));
    ObjectNode object = JSON.objectNode();
    schema
        .path("properties")
        .properties()
        .forEach(
            property -> {
              if (required.contains(property.getKey())) {
                object.set(property.getKey(), value(property.getValue(), depth + 1));
              }
            });
    return object;
  }

  private ArrayNode array(JsonNode schema, int depth) {
    ArrayNode array = JSON.arrayNode();
    int count = Math.min(100, Math.max(1, schema.path("minItems").asInt(1)));
    for (int i = 0; i < count; i++) {
      array.add(value(schema.path("items"), depth + 1));
    }
    return array;
  }

  private String text(JsonNode schema) {
    Matcher quoted = QUOTED.matcher(prompt);
    String text = quoted.find() ? quoted.group(1) : "sandbox";
    int least = Math.min(10_000, schema.path("minLength").asInt(0));
    int most = schema.path("maxLength").asInt(Integer.MAX_VALUE);
    String padded = text + "x".repeat(Math.max(0, least - text.length()));
    return padded.substring(0, Math.min(most, padded.length()));
  }

  private long number(JsonNode schema) {
    Matcher stated = NUMBER.matcher(prompt);
    long number = stated.find() ? Long.parseLong(stated.group()) : 1;
    long least = schema.path("minimum").asLong(Long.MIN_VALUE);
    long most = schema.path("maximum").asLong(Long.MAX_VALUE);
    return Math.min(most, Math.max(least, number));
  }
}
