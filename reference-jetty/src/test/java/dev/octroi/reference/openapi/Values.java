package dev.octroi.reference.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Makes values of schemas, most of them good. */
final class Values {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Of these, those that match a pattern. */
  private static final List<String> FORMS =
      List.of(
          "BTC-USDT",
          "0x857b06519e91e3a54538791bdbb0e22373e36b66",
          "7Xz8f3Qm2KpR1vT9uYwLcB4dNhS6eJgA5oMkFiZtVxWq",
          "+14155550123",
          "415",
          "US",
          "1024x1024",
          "2026-11-01",
          "0.500000",
          "00112233445566778899aabbccddeeff.png",
          "docs.js",
          "bitcoin");

  private final JsonNode document;
  private final Random random;

  Values(JsonNode document, Random random) {
    this.document = document;
    this.random = random;
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /** A value of a schema; a given example more often than not. */
  JsonNode of(JsonNode schema) {
    JsonNode resolved = resolved(schema);
    JsonNode examples = resolved.path("examples");
    if (!examples.isEmpty() && chance(0.7)) {
      return examples.get(0);
    }
    if (resolved.has("const")) {
      return resolved.get("const");
    }
    if (resolved.has("enum")) {
      return resolved.get("enum").get(random.nextInt(resolved.get("enum").size()));
    }
    return ofType(resolved);
  }

  JsonNode resolved(JsonNode schema) {
    JsonNode reference = schema.path("$ref");
    return reference.isTextual() ? document.at(reference.asText().substring(1)) : schema;
  }

  private JsonNode ofType(JsonNode schema) {
    JsonNode type = schema.path("type");
    String word = type.isArray() ? type.get(0).asText() : type.asText("string");
    return switch (word) {
      case "integer" -> JSON.numberNode(whole(schema));
      case "number" -> JSON.numberNode((double) whole(schema));
      case "boolean" -> JSON.booleanNode(random.nextBoolean());
      case "array" -> list(schema);
      case "object" -> object(schema);
      default -> JSON.textNode(text(schema));
    };
  }

  private long whole(JsonNode schema) {
    long least = schema.path("minimum").asLong(0);
    long most = Math.min(schema.path("maximum").asLong(least + 50), least + 50);
    return least + random.nextLong(Math.max(1, most - least + 1));
  }

  private ArrayNode list(JsonNode schema) {
    ArrayNode list = JSON.arrayNode();
    int most = Math.max(1, Math.min(3, schema.path("maxItems").asInt(3)));
    int count = 1 + random.nextInt(most);
    for (int i = 0; i < count; i++) {
      list.add(of(schema.path("items")));
    }
    return list;
  }

  /** What is required, and some of the rest; now and then something required is left out. */
  private ObjectNode object(JsonNode schema) {
    ObjectNode object = JSON.objectNode();
    List<String> required = new ArrayList<>();
    schema.path("required").forEach(name -> required.add(name.asText()));
    for (Map.Entry<String, JsonNode> member : schema.path("properties").properties()) {
      if (chance(required.contains(member.getKey()) ? 0.97 : 0.1)) {
        object.set(member.getKey(), of(member.getValue()));
      }
    }
    return object;
  }

  private String text(JsonNode schema) {
    String pattern = schema.path("pattern").asText("");
    List<String> good =
        FORMS.stream()
            .filter(form -> pattern.isEmpty() || form.matches(".*" + inner(pattern) + ".*"))
            .toList();
    return good.isEmpty() || chance(0.05) ? "x" : good.get(random.nextInt(good.size()));
  }

  private static String inner(String pattern) {
    return pattern.replaceAll("^\\^|\\$$", "");
  }
}
