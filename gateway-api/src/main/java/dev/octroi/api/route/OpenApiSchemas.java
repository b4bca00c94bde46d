package dev.octroi.api.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.settings.InvalidSettings;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes JSON Schemas (2020-12) that stand alone of those of a document: what they refer to is put
 * in its place, until that would come back to itself or grow too large; there stands a schema that
 * takes anything. Used by one thread.
 */
final class OpenApiSchemas {

  /** How many parts one operation's schemas grow by what they refer to. */
  private static final int MOST_ADDED = 3_000;

  private static final int MOST_ADDED_IN_ALL = 300_000;
  private static final int DEEPEST = 8;

  private static final Set<String> TYPES =
      Set.of("array", "boolean", "integer", "null", "number", "object", "string");
  private static final Set<String> TEXTS =
      Set.of("contentEncoding", "contentMediaType", "description", "format", "pattern", "title");
  private static final Set<String> NUMBERS =
      Set.of(
          "exclusiveMaximum",
          "exclusiveMinimum",
          "maxContains",
          "maxItems",
          "maxLength",
          "maxProperties",
          "maximum",
          "minContains",
          "minItems",
          "minLength",
          "minProperties",
          "minimum",
          "multipleOf");
  private static final Set<String> FLAGS =
      Set.of("deprecated", "readOnly", "uniqueItems", "writeOnly");
  private static final Set<String> SCHEMAS =
      Set.of(
          "additionalProperties",
          "contains",
          "contentSchema",
          "else",
          "if",
          "items",
          "not",
          "propertyNames",
          "then",
          "unevaluatedItems",
          "unevaluatedProperties");
  private static final Set<String> LISTS = Set.of("allOf", "anyOf", "oneOf", "prefixItems");
  private static final Set<String> MAPS =
      Set.of("dependentSchemas", "patternProperties", "properties");

  /** What a reference may say of its own beside what it refers to. */
  private static final Set<String> NOTES =
      Set.of("default", "deprecated", "description", "example", "examples", "summary", "title");

  private final OpenApiDocument document;
  private final IdentityHashMap<JsonNode, Integer> sizes = new IdentityHashMap<>();
  private int inAll = MOST_ADDED_IN_ALL;

  OpenApiSchemas(OpenApiDocument document) {
    this.document = document;
  }

  /** Which way what a schema describes goes. */
  enum Way {
    /** To the server: without what only the server says. */
    ASKED("readOnly"),
    /** To the caller: without what only a caller says. */
    ANSWERED("writeOnly");

    private final String without;

    Way(String without) {
      this.without = without;
    }
  }

  /** For the schemas of one operation. */
  Unfolding begin(Way way, String where) {
    return new Unfolding(way, where);
  }

  /** How many parts something has. */
  private int size(JsonNode node) {
    if (node.isValueNode()) {
      return 1;
    }
    Integer known = sizes.get(node);
    if (known == null) {
      known = 1 + node.valueStream().mapToInt(this::size).sum();
      sizes.put(node, known);
    }
    return known;
  }

  /** The schemas of one operation, one way. */
  final class Unfolding {

    private final Way way;
    private final String where;
    private final Deque<String> open = new ArrayDeque<>();
    private int left = MOST_ADDED;

    private Unfolding(Way way, String where) {
      this.way = way;
      this.where = where;
    }

    /**
     * A schema that stands alone.
     *
     * @throws InvalidSettings if it refers to another document
     */
    ObjectNode of(JsonNode given) {
      ObjectNode schema = JsonNodeFactory.instance.objectNode();
      if (given.isBoolean() && !given.booleanValue()) {
        schema.putObject("not");
      }
      if (given.path("$ref").isTextual()) {
        return referred((ObjectNode) given);
      }
      given.properties().forEach(word -> put(word.getKey(), word.getValue(), schema));
      bounds(given, schema);
      nothing(given, schema);
      examples(given, schema);
      hide(schema);
      return schema;
    }

    private void put(String word, JsonNode value, ObjectNode schema) {
      if (SCHEMAS.contains(word)) {
        schema.set(word, value.isBoolean() ? value : of(value));
      } else if (LISTS.contains(word) && value.isArray() && !value.isEmpty()) {
        ArrayNode list = schema.putArray(word);
        value.forEach(one -> list.add(of(one)));
      } else if (MAPS.contains(word) && value.isObject()) {
        ObjectNode map = schema.putObject(word);
        value.properties().forEach(one -> map.set(one.getKey(), of(one.getValue())));
      } else if (isGood(word, value)) {
        schema.set(word, value);
      }
    }

    private static boolean isGood(String word, JsonNode value) {
      return switch (word) {
        case "const", "default" -> true;
        case "enum" -> value.isArray() && !value.isEmpty();
        case "examples" -> value.isArray();
        case "required" -> value.isArray() && value.valueStream().allMatch(JsonNode::isTextual);
        case "type" ->
            value.isArray()
                ? !value.isEmpty()
                    && value.valueStream().allMatch(one -> TYPES.contains(one.asText()))
                : TYPES.contains(value.asText());
        case "dependentRequired" -> value.isObject();
        default ->
            (TEXTS.contains(word) && value.isTextual())
                || (NUMBERS.contains(word) && value.isNumber())
                || (FLAGS.contains(word) && value.isBoolean());
      };
    }

    /** Version 3.0 says of a bound whether it is one of what is allowed. */
    private static void bounds(JsonNode given, ObjectNode schema) {
      for (String bound : new String[] {"Minimum", "Maximum"}) {
        String plain = bound.equals("Minimum") ? "minimum" : "maximum";
        if (given.path("exclusive" + bound).isBoolean()) {
          JsonNode value = schema.path(plain);
          if (given.path("exclusive" + bound).booleanValue() && value.isNumber()) {
            schema.set("exclusive" + bound, value);
            schema.remove(plain);
          }
        }
      }
    }

    /** And that what has a type may be null. */
    private static void nothing(JsonNode given, ObjectNode schema) {
      JsonNode type = schema.path("type");
      if (given.path("nullable").asBoolean() && type.isTextual()) {
        schema.putArray("type").add(type).add("null");
        if (schema.path("enum").valueStream().noneMatch(JsonNode::isNull) && schema.has("enum")) {
          ArrayNode values = schema.putArray("enum");
          given.path("enum").forEach(values::add);
          values.addNull();
        }
      }
    }

    private static void examples(JsonNode given, ObjectNode schema) {
      if (given.has("example") && !schema.has("examples")) {
        schema.putArray("examples").add(given.get("example"));
      }
    }

    /** Leaves out what only the other side says. */
    private void hide(ObjectNode schema) {
      List<String> hidden =
          schema.path("properties").properties().stream()
              .filter(property -> property.getValue().path(way.without).asBoolean())
              .map(Map.Entry::getKey)
              .toList();
      if (!hidden.isEmpty()) {
        schema.withObject("/properties").remove(hidden);
        JsonNode required = schema.path("required");
        schema.remove("required");
        required
            .valueStream()
            .filter(name -> !hidden.contains(name.textValue()))
            .forEach(name -> schema.withArray("/required").add(name));
      }
    }

    private ObjectNode referred(ObjectNode given) {
      String reference = given.path("$ref").textValue();
      JsonNode to = document.at(reference, where);
      int size = size(to);
      ObjectNode schema;
      if (open.contains(reference) || open.size() == DEEPEST || size > Math.min(left, inAll)) {
        schema = named(reference, to);
      } else {
        left -= size;
        inAll -= size;
        open.addLast(reference);
        schema = of(to);
        open.removeLast();
      }
      return beside(given, schema);
    }

    /** What stands for a schema that is not unfolded. */
    private ObjectNode named(String reference, JsonNode to) {
      ObjectNode schema = JsonNodeFactory.instance.objectNode();
      String said = to.path("description").asText();
      String name = reference.substring(reference.lastIndexOf('/') + 1);
      return schema.put("description", said.isEmpty() ? name + "." : said);
    }

    private ObjectNode beside(ObjectNode given, ObjectNode schema) {
      ObjectNode own = given.deepCopy();
      own.remove("$ref");
      ObjectNode rules = own.deepCopy();
      rules.remove(NOTES);
      ObjectNode more = of(rules);
      ObjectNode whole = schema;
      if (!more.isEmpty()) {
        whole = JsonNodeFactory.instance.objectNode();
        whole.putArray("allOf").add(schema).add(more);
      }
      own.retain(NOTES);
      whole.setAll(of(own));
      return whole;
    }
  }
}
