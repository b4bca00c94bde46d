package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The value that the model puts where a schema asks for one: what the prompt states where it fits,
 * else the least that is valid. Knows the part of JSON Schema that vendors take. Used for one
 * value.
 */
final class SampleJson {

  private static final int DEEPEST = 12;

  /** Below, what is optional is left out, and null is taken where it may be. */
  private static final int DEEP = 5;

  private static final int MOST_ITEMS = 100;
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Last words of names of members that take the whole question, a code, or the answer. */
  private static final Set<String> ASKING =
      Set.of("query", "question", "q", "prompt", "search", "input", "request", "task");

  private static final Set<String> CODED =
      Set.of("symbol", "symbols", "ticker", "pair", "currency", "coin", "asset", "token", "code");

  private static final Set<String> ANSWERING =
      Set.of(
          "answer", "summary", "response", "explanation", "reasoning", "text", "content", "result");

  private final JsonNode root;
  private final Stated stated;
  private final String answer;

  private SampleJson(JsonNode root, String prompt, String answer) {
    this.root = root;
    this.stated = new Stated(prompt);
    this.answer = answer;
  }

  /**
   * A value of a schema.
   *
   * @param answer what the model would say without a schema; empty for the arguments of a tool
   */
  static JsonNode of(JsonNode schema, String prompt, String answer) {
    return new SampleJson(schema, prompt, answer).value("", schema, 0);
  }

  private JsonNode value(String name, JsonNode given, int depth) {
    JsonNode schema = resolved(given, depth);
    if (depth > DEEPEST) {
      return JSON.nullNode();
    }
    if (schema.has("const")) {
      return schema.get("const");
    }
    if (!schema.path("enum").isEmpty()) {
      return chosen(schema);
    }
    return switch (type(schema, depth)) {
      case "string" -> JSON.textNode(text(name, schema));
      case "integer" -> JSON.numberNode(number(name, schema, BigDecimal.ONE).longValue());
      case "number" -> JSON.numberNode(number(name, schema, BigDecimal.ZERO));
      case "boolean" -> JSON.booleanNode(name.isEmpty() || !stated.denies(name));
      case "array" -> array(name, schema, depth);
      case "null" -> JSON.nullNode();
      default -> object(schema, depth);
    };
  }

  /** A schema with what it refers to, all of {@code allOf} and one of {@code anyOf} in it. */
  private ObjectNode resolved(JsonNode given, int depth) {
    ObjectNode schema = given instanceof ObjectNode some ? some.deepCopy() : JSON.objectNode();
    for (int steps = 0; steps < DEEPEST; steps++) {
      List<JsonNode> parts = new ArrayList<>();
      JsonNode reference = schema.remove("$ref");
      if (reference != null) {
        String pointer = reference.asText().replaceFirst("^#", "");
        parts.add(pointer.matches("(/.*)?") ? root.at(pointer) : JSON.objectNode());
      }
      if (schema.remove("allOf") instanceof ArrayNode all) {
        all.forEach(parts::add);
      }
      for (String word : List.of("anyOf", "oneOf")) {
        if (schema.remove(word) instanceof ArrayNode forms && !forms.isEmpty()) {
          parts.add(one(forms, depth));
        }
      }
      if (parts.isEmpty()) {
        return schema;
      }
      parts.forEach(part -> merge(schema, part));
    }
    return JSON.objectNode().put("type", "null");
  }

  /** The first form that is not null; deep down null, where it is one of them. */
  private static JsonNode one(ArrayNode forms, int depth) {
    return forms
        .valueStream()
        .filter(form -> form.path("type").asText().equals("null") == depth > DEEP)
        .findFirst()
        .orElse(forms.get(0));
  }

  /** Properties and required names are those of both. */
  private static void merge(ObjectNode schema, JsonNode part) {
    for (var keyword : part.properties()) {
      JsonNode own = schema.get(keyword.getKey());
      if (own instanceof ObjectNode both && keyword.getValue() instanceof ObjectNode more) {
        both.setAll(more);
      } else if (own instanceof ArrayNode both && keyword.getValue() instanceof ArrayNode more) {
        both.addAll(more);
      } else {
        schema.set(keyword.getKey(), keyword.getValue().deepCopy());
      }
    }
  }

  private static String type(JsonNode schema, int depth) {
    JsonNode type = schema.path("type");
    String otherwise =
        schema.has("properties") || depth == 0
            ? "object"
            : schema.has("items") || schema.has("prefixItems") ? "array" : "string";
    return type.isArray()
        ? type.valueStream()
            .map(JsonNode::asText)
            .filter(name -> name.equals("null") == depth > DEEP)
            .findFirst()
            .orElse(type.path(0).asText(otherwise))
        : type.asText(otherwise);
  }

  /** The prompt's own word where it says one of them, the longest of several. */
  private JsonNode chosen(JsonNode schema) {
    JsonNode otherwise = schema.has("default") ? schema.get("default") : schema.get("enum").get(0);
    return mentioned(schema).stream()
        .reduce((left, right) -> right.asText().length() > left.asText().length() ? right : left)
        .orElse(otherwise);
  }

  private List<JsonNode> mentioned(JsonNode schema) {
    return schema
        .path("enum")
        .valueStream()
        .filter(word -> !word.isNull() && stated.mentions(word.asText()))
        .toList();
  }

  /** In the order of the schema, as models write. */
  private ObjectNode object(JsonNode schema, int depth) {
    List<String> required = new ArrayList<>();
    schema.path("required").forEach(name -> required.add(name.asText()));
    ObjectNode object = JSON.objectNode();
    for (var property : schema.path("properties").properties()) {
      boolean wanted = !schema.has("required") || !mentioned(property.getValue()).isEmpty();
      if (required.contains(property.getKey()) || (wanted && depth < DEEP)) {
        object.set(property.getKey(), value(property.getKey(), property.getValue(), depth + 1));
      }
    }
    for (String name : required) {
      if (!object.has(name)) {
        object.set(name, value(name, schema.path("additionalProperties"), depth + 1));
      }
    }
    return object;
  }

  private ArrayNode array(String name, JsonNode schema, int depth) {
    ArrayNode array = JSON.arrayNode();
    schema.path("prefixItems").forEach(item -> array.add(value(name, item, depth + 1)));
    JsonNode each = resolved(schema.path("items"), depth);
    List<JsonNode> words = mentioned(each);
    int most = Math.min(MOST_ITEMS, schema.path("maxItems").asInt(MOST_ITEMS));
    int least = Math.min(most, Math.max(array.isEmpty() ? 1 : 0, schema.path("minItems").asInt(0)));
    int likely = each.path("type").asText().equals("string") ? stated.listed() : words.size();
    int count = Math.max(least, Math.min(most, each.has("enum") ? words.size() : likely));
    for (JsonNode word : words.subList(0, Math.min(most, words.size()))) {
      array.add(word);
    }
    for (int at = array.size(); at < count; at++) {
      array.add(another(value(name, each, depth + 1), each, array, at));
    }
    return array;
  }

  /** An item that the list does not have yet, where there is one. */
  private static JsonNode another(JsonNode item, JsonNode each, ArrayNode array, int at) {
    if (array.valueStream().noneMatch(item::equals)) {
      return item;
    }
    if (each.has("enum")) {
      return each.get("enum").path(at % each.get("enum").size());
    }
    return item.isIntegralNumber()
        ? JSON.numberNode(item.longValue() + at)
        : item.isTextual() && !new SampleText(each).isFormed()
            ? JSON.textNode(new SampleText(each).fitted((at + 1) + " " + item.asText()))
            : item;
  }

  private String text(String name, JsonNode schema) {
    SampleText texts = new SampleText(schema);
    Predicate<String> fits = texts::allows;
    List<String> words = Stated.words(name);
    String last = words.isEmpty() ? "" : words.get(words.size() - 1);
    if (!answer.isEmpty() && ANSWERING.contains(last)) {
      return texts.fitted(answer);
    }
    Optional<String> value = stated.named(name, fits);
    if (value.isEmpty()) {
      value = formed(last, texts.isFormed(), fits);
    }
    if (value.isEmpty() && CODED.contains(last)) {
      value = stated.code(fits);
    }
    if (value.isEmpty()) {
      value = stated.quoted(fits);
    }
    if (value.isEmpty() && ASKING.contains(last)) {
      return texts.fitted(stated.text().strip());
    }
    String otherwise = schema.path("default").asText("sandbox");
    return value.or(() -> stated.name(fits)).orElseGet(() -> texts.fitted(otherwise));
  }

  /** A word that looks as its name or its schema wants it. */
  private Optional<String> formed(String name, boolean isFormed, Predicate<String> fits) {
    String like =
        switch (name) {
          case "url", "urls", "link" -> "https?://\\S+";
          case "email" -> "\\S+@\\S+";
          case "date" -> "\\d{4}-\\d\\d-\\d\\d\\S*";
          case "address", "wallet", "hash" -> "0x[\\da-fA-F]+|[1-9A-HJ-NP-Za-km-z]{32,90}";
          case "id" -> "(?=.*\\d)[\\w-]{2,}";
          default -> isFormed ? ".+" : "";
        };
    return stated.token(token -> token.matches(like) && fits.test(token));
  }

  /** The number that the prompt states, moved to the nearest that the schema allows. */
  private BigDecimal number(String name, JsonNode schema, BigDecimal unit) {
    BigDecimal value =
        stated
            .number(name)
            .orElse(
                schema.path("default").isNumber()
                    ? schema.get("default").decimalValue()
                    : BigDecimal.ONE);
    BigDecimal step =
        schema.path("multipleOf").isNumber() ? schema.get("multipleOf").decimalValue() : unit;
    BigDecimal inside = step.signum() > 0 ? step : new BigDecimal("0.000001");
    value = value.min(bound(schema, "maximum", "exclusiveMaximum", inside.negate(), value));
    BigDecimal least = bound(schema, "minimum", "exclusiveMinimum", inside, value);
    value = value.max(least);
    if (step.signum() <= 0) {
      return value;
    }
    BigDecimal multiple = value.divide(step, 0, RoundingMode.FLOOR).multiply(step);
    return multiple.compareTo(least) < 0 ? multiple.add(step) : multiple;
  }

  private static BigDecimal bound(
      JsonNode schema, String closed, String open, BigDecimal inside, BigDecimal none) {
    return schema.path(open).isNumber()
        ? schema.get(open).decimalValue().add(inside)
        : schema.path(closed).isNumber() ? schema.get(closed).decimalValue() : none;
  }
}
