package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The value that the model puts where a schema asks for one: what the prompt states where it fits,
 * else the least that is valid. Knows the keywords of JSON Schema that vendors take; {@code not},
 * {@code if} and {@code patternProperties} are passed over. Used for one value.
 */
final class SampleJson {

  private static final int DEEPEST = 12;

  /** Below, what is optional is left out, and of several forms the plainest is taken. */
  private static final int DEEP = 5;

  private static final int MOST_ITEMS = 100;
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Names of members that take the whole question, a code in capitals, or the answer. */
  private static final Set<String> ASKING =
      Set.of("query", "question", "q", "prompt", "search", "input", "keywords", "request", "task");

  private static final Set<String> CODED =
      Set.of("symbol", "ticker", "pair", "currency", "coin", "asset", "token", "base", "quote", "code");

  private static final Set<String> ANSWERING =
      Set.of(
          "answer", "summary", "response", "explanation", "reasoning", "text", "content", "message",
          "description", "reply", "output", "analysis", "result");

  private final JsonNode root;
  private final Stated stated;
  private final String answer;

  private SampleJson(JsonNode root, String prompt, String answer) {
    this.root = root;
    this.stated = new Stated(prompt);
    this.answer = answer;
  }

  /** Arguments of a tool. */
  static JsonNode of(JsonNode schema, String prompt) {
    return of(schema, prompt, "");
  }

  /**
   * A whole answer.
   *
   * @param answer what the model would say without a schema; empty for none
   */
  static JsonNode of(JsonNode schema, String prompt, String answer) {
    return new SampleJson(schema, prompt, answer).value("", schema, 0);
  }

  private JsonNode value(String name, JsonNode given, int depth) {
    if (depth > DEEPEST) {
      return JSON.nullNode();
    }
    JsonNode schema = resolved(given, depth);
    if (schema.has("const")) {
      return schema.get("const");
    }
    if (!schema.path("enum").isEmpty()) {
      return chosen(schema);
    }
    return switch (type(schema, depth)) {
      case "string" -> JSON.textNode(text(name, schema));
      case "integer" -> JSON.numberNode(number(name, schema).longValue());
      case "number" -> JSON.numberNode(number(name, schema));
      case "boolean" -> JSON.booleanNode(truth(name, schema));
      case "array" -> array(name, schema, depth);
      case "null" -> JSON.nullNode();
      default -> object(schema, depth);
    };
  }

  /** A schema with what it refers to, all of {@code allOf} and one of {@code anyOf} in it. */
  private JsonNode resolved(JsonNode given, int depth) {
    JsonNode schema = given;
    for (int steps = 0; steps < DEEPEST; steps++) {
      if (schema.path("$ref").isTextual()) {
        schema = merged(without(schema, "$ref"), referred(schema.get("$ref").textValue()));
      } else if (schema.path("allOf").isArray()) {
        JsonNode whole = without(schema, "allOf");
        for (JsonNode part : schema.get("allOf")) {
          whole = merged(whole, resolved(part, depth + 1));
        }
        schema = whole;
      } else if (!schema.path("anyOf").isEmpty()) {
        schema = merged(without(schema, "anyOf"), one(schema.get("anyOf"), depth));
      } else if (!schema.path("oneOf").isEmpty()) {
        schema = merged(without(schema, "oneOf"), one(schema.get("oneOf"), depth));
      } else {
        return schema;
      }
    }
    return JSON.objectNode().put("type", "null");
  }

  private JsonNode referred(String reference) {
    String pointer = reference.startsWith("#") ? reference.substring(1) : "";
    return root.at(URLDecoder.decode(pointer, StandardCharsets.UTF_8));
  }

  /** The first form that is not null; deep down null, where it is one of them. */
  private static JsonNode one(JsonNode forms, int depth) {
    boolean wantsNull = depth > DEEP;
    for (JsonNode form : forms) {
      if (form.path("type").asText().equals("null") == wantsNull) {
        return form;
      }
    }
    return forms.get(0);
  }

  private static ObjectNode without(JsonNode schema, String name) {
    ObjectNode rest = ((ObjectNode) schema).deepCopy();
    rest.remove(name);
    return rest;
  }

  /** Both schemas' keywords; properties and required names are those of both. */
  private static JsonNode merged(ObjectNode schema, JsonNode other) {
    other
        .properties()
        .forEach(
            keyword -> {
              JsonNode own = schema.path(keyword.getKey());
              if (own.isObject() && keyword.getValue() instanceof ObjectNode more) {
                ((ObjectNode) own).setAll(more);
              } else if (own.isArray() && keyword.getKey().equals("required")) {
                ((ArrayNode) own).addAll((ArrayNode) keyword.getValue());
              } else {
                schema.set(keyword.getKey(), keyword.getValue().deepCopy());
              }
            });
    return schema;
  }

  private static String type(JsonNode schema, int depth) {
    JsonNode type = schema.path("type");
    if (type.isTextual()) {
      return type.textValue();
    }
    Optional<String> named =
        type.valueStream()
            .map(JsonNode::asText)
            .filter(name -> depth > DEEP || !name.equals("null"))
            .findFirst();
    return named.orElse(
        schema.has("properties") || depth == 0
            ? "object"
            : schema.has("items") || schema.has("prefixItems") ? "array" : "string");
  }

  /** The prompt's own word where it says one of them, the longest of several. */
  private JsonNode chosen(JsonNode schema) {
    JsonNode found = null;
    for (JsonNode word : schema.get("enum")) {
      boolean longer = found == null || word.asText().length() > found.asText().length();
      if (longer && !word.isNull() && stated.mentions(word.asText())) {
        found = word;
      }
    }
    JsonNode otherwise = schema.has("default") ? schema.get("default") : schema.get("enum").get(0);
    return found == null ? otherwise : found;
  }

  private boolean truth(String name, JsonNode schema) {
    boolean asked =
        schema.path("default").asBoolean(true)
            || stated.mentions(String.join(" ", Stated.words(name)));
    return asked && (name.isEmpty() || !stated.denies(name));
  }

  private ObjectNode object(JsonNode schema, int depth) {
    ObjectNode properties =
        schema.path("properties") instanceof ObjectNode some ? some : JSON.objectNode();
    Set<String> wanted = new LinkedHashSet<>();
    schema.path("required").forEach(name -> wanted.add(name.asText()));
    properties
        .properties()
        .forEach(
            property -> {
              if (depth < DEEP && (!schema.has("required") || isStated(property.getValue()))) {
                wanted.add(property.getKey());
              }
            });
    for (String name : List.copyOf(wanted)) {
      schema.path("dependentRequired").path(name).forEach(more -> wanted.add(more.asText()));
    }
    int least = Math.min(MOST_ITEMS, schema.path("minProperties").asInt(0));
    properties.fieldNames().forEachRemaining(name -> {
      if (wanted.size() < least) {
        wanted.add(name);
      }
    });
    for (int more = 1; wanted.size() < least; more++) {
      wanted.add("property" + more);
    }
    return filled(schema, properties, wanted, depth);
  }

  /** In the order of the schema, as models write. */
  private ObjectNode filled(
      JsonNode schema, ObjectNode properties, Set<String> wanted, int depth) {
    Set<String> names = new LinkedHashSet<>();
    properties.fieldNames().forEachRemaining(names::add);
    names.retainAll(wanted);
    names.addAll(wanted);
    ObjectNode object = JSON.objectNode();
    for (String name : names) {
      JsonNode member =
          properties.has(name) ? properties.get(name) : schema.path("additionalProperties");
      object.set(name, value(name, member.isObject() ? member : JSON.objectNode(), depth + 1));
    }
    return object;
  }

  /** Whether the prompt says one of the words of an optional member. */
  private boolean isStated(JsonNode schema) {
    return schema.path("enum").valueStream().anyMatch(word -> stated.mentions(word.asText()));
  }

  private ArrayNode array(String name, JsonNode schema, int depth) {
    JsonNode items = schema.path("items");
    JsonNode first = schema.has("prefixItems") ? schema.get("prefixItems") : items;
    int least = Math.min(MOST_ITEMS, schema.path("minItems").asInt(0));
    int most = Math.min(MOST_ITEMS, schema.path("maxItems").asInt(MOST_ITEMS));
    ArrayNode array = JSON.arrayNode();
    if (first.isArray()) {
      first.forEach(item -> array.add(value(name, item, depth + 1)));
    }
    JsonNode each = items.isObject() ? resolved(items, depth) : JSON.objectNode();
    int count = Math.max(least, Math.min(most, Math.max(first.isArray() ? 0 : 1, likely(each))));
    if (schema.path("contains").isObject() && array.size() < most) {
      ObjectNode both = (ObjectNode) merged(each.deepCopy(), schema.get("contains"));
      array.add(value(name, both, depth + 1));
    }
    boolean unique = schema.path("uniqueItems").asBoolean() || count > least;
    for (int tries = 0; array.size() < count && tries < 2 * MOST_ITEMS; tries++) {
      JsonNode item = unique ? another(name, each, array, depth) : value(name, each, depth + 1);
      if (item.isMissingNode()) {
        break;
      }
      array.add(item);
    }
    return array;
  }

  /** How many items the prompt states. */
  private int likely(JsonNode each) {
    if (!each.path("enum").isEmpty()) {
      return (int)
          each.get("enum").valueStream().filter(word -> stated.mentions(word.asText())).count();
    }
    return each.path("type").asText().equals("string") ? stated.listed() : 1;
  }

  /** An item that the list does not have yet; missing where there is none. */
  private JsonNode another(String name, JsonNode each, ArrayNode array, int depth) {
    List<JsonNode> had = new ArrayList<>();
    array.forEach(had::add);
    Predicate<JsonNode> isNew = item -> !had.contains(item);
    if (!each.path("enum").isEmpty()) {
      List<JsonNode> words = each.get("enum").valueStream().filter(isNew).toList();
      return words.stream()
          .filter(word -> stated.mentions(word.asText()))
          .findFirst()
          .orElse(words.isEmpty() ? JSON.missingNode() : words.get(0));
    }
    JsonNode item = value(name, each, depth + 1);
    for (int next = 2; had.contains(item) && next <= MOST_ITEMS + 1; next++) {
      item = changed(item, next, each);
    }
    return had.contains(item) ? JSON.missingNode() : item;
  }

  /** The next value of the same kind. */
  private JsonNode changed(JsonNode item, int next, JsonNode schema) {
    if (item.isNumber()) {
      BigDecimal step = schema.path("multipleOf").decimalValue();
      BigDecimal more = item.decimalValue().add(step.signum() > 0 ? step : BigDecimal.ONE);
      BigDecimal bounded = within(schema, more);
      return item.isIntegralNumber()
          ? JSON.numberNode(bounded.longValue())
          : JSON.numberNode(bounded);
    }
    if (item.isBoolean()) {
      return JSON.booleanNode(!item.booleanValue());
    }
    if (item instanceof ObjectNode object && !object.isEmpty()) {
      String name = object.fieldNames().next();
      JsonNode member = schema.path("properties").path(name);
      return object.deepCopy().set(name, changed(object.get(name), next, member));
    }
    SampleText texts = new SampleText(schema);
    String text = item.asText().replaceFirst(" \\d+$", "") + " " + next;
    return texts.allows(text) ? JSON.textNode(text) : item;
  }

  private String text(String name, JsonNode schema) {
    SampleText texts = new SampleText(schema);
    Predicate<String> fits = texts::allows;
    List<String> words = Stated.words(name);
    String last = words.isEmpty() ? "" : words.get(words.size() - 1);
    Optional<String> value =
        stated.named(name, fits).or(() -> texts.isFormed() ? stated.token(fits) : Optional.empty());
    if (value.isEmpty() && !answer.isEmpty() && ANSWERING.contains(last)) {
      return texts.fitted(answer);
    }
    if (value.isEmpty() && CODED.contains(last.replaceFirst("s$", ""))) {
      value = stated.code(fits);
    }
    if (value.isEmpty() && last.matches("urls?|link|email|address|wallet|hash|date|id")) {
      value = stated.token(token -> fits.test(token) && isLike(last, token));
    }
    if (value.isEmpty()) {
      value = stated.quoted(fits);
    }
    if (value.isEmpty() && ASKING.contains(last)) {
      return texts.fitted(question());
    }
    return value
        .or(() -> stated.name(fits))
        .or(() -> Optional.of(schema.path("default").asText("")).filter(fits).filter(text -> !text.isEmpty()))
        .or(() -> Optional.of(schema.path("examples").path(0).asText("")).filter(fits).filter(text -> !text.isEmpty()))
        .orElseGet(() -> texts.fitted("sandbox"));
  }

  private static boolean isLike(String name, String token) {
    return switch (name) {
      case "url", "urls", "link" -> token.startsWith("http");
      case "email" -> token.contains("@");
      case "date" -> token.matches("\\d{4}-\\d\\d-\\d\\d.*");
      case "id" -> token.matches("(?=.*\\d)[\\w-]{2,}");
      default -> token.matches("0x[\\da-fA-F]+|[1-9A-HJ-NP-Za-km-z]{32,90}");
    };
  }

  /** What is asked, without the words that only ask for a search. */
  private String question() {
    String line = stated.text().strip().replaceAll("\\s+", " ");
    return line.replaceFirst(
        "(?i)^(?:please )?(?:can you )?(?:search|look|google|find)(?: up)?(?: (?:the )?(?:web|internet|online))?(?: for| about)? ",
        "");
  }

  private BigDecimal number(String name, JsonNode schema) {
    BigDecimal otherwise =
        schema.path("default").isNumber() ? schema.get("default").decimalValue() : BigDecimal.ONE;
    return within(schema, stated.number(name).orElse(otherwise));
  }

  /** A number moved to the nearest that the schema allows. */
  private static BigDecimal within(JsonNode schema, BigDecimal number) {
    boolean whole = schema.path("type").asText().equals("integer");
    BigDecimal step = schema.path("multipleOf").decimalValue();
    BigDecimal unit = step.signum() > 0 ? step : whole ? BigDecimal.ONE : new BigDecimal("0.000001");
    BigDecimal least = bound(schema, "minimum", "exclusiveMinimum", unit);
    BigDecimal most = bound(schema, "maximum", "exclusiveMaximum", unit.negate());
    BigDecimal value = number;
    if (most != null && value.compareTo(most) > 0) {
      value = most;
    }
    if (least != null && value.compareTo(least) < 0) {
      value = least;
    }
    return step.signum() > 0 || whole ? multiple(value, unit, least) : value;
  }

  private static BigDecimal multiple(BigDecimal value, BigDecimal unit, BigDecimal least) {
    BigDecimal down = value.divide(unit, 0, RoundingMode.FLOOR).multiply(unit);
    return least != null && down.compareTo(least) < 0 ? down.add(unit) : down;
  }

  private static BigDecimal bound(JsonNode schema, String name, String open, BigDecimal unit) {
    if (schema.path(open).isNumber()) {
      return schema.get(open).decimalValue().add(unit);
    }
    boolean isOpen = schema.path(open).asBoolean();
    return schema.path(name).isNumber()
        ? schema.get(name).decimalValue().add(isOpen ? unit : BigDecimal.ZERO)
        : null;
  }
}
