package dev.octroi.api.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.Map;

/**
 * Whether a value that a document gives as an example is one: by all rules of the schema but
 * patterns and formats, which a document could make endless work of.
 */
final class OpenApiExamples {

  private OpenApiExamples() {}

  static boolean satisfies(JsonNode value, JsonNode schema) {
    if (!(schema instanceof ObjectNode)) {
      return schema.asBoolean(true);
    }
    return isOfType(value, schema)
        && isOneOf(value, schema)
        && isWithin(value, schema)
        && (!value.isArray() || items(value, schema))
        && (!value.isObject() || members(value, schema))
        && schema.path("allOf").valueStream().allMatch(one -> satisfies(value, one))
        && (!schema.has("anyOf") || fitting(value, schema.path("anyOf")) > 0)
        && (!schema.has("oneOf") || fitting(value, schema.path("oneOf")) == 1)
        && (!schema.has("not") || !satisfies(value, schema.path("not")));
  }

  private static long fitting(JsonNode value, JsonNode schemas) {
    return schemas.valueStream().filter(one -> satisfies(value, one)).count();
  }

  private static boolean isOfType(JsonNode value, JsonNode schema) {
    JsonNode type = schema.path("type");
    return type.isMissingNode()
        || (type.isArray()
            ? type.valueStream().anyMatch(one -> is(one.asText(), value))
            : is(type.asText(), value));
  }

  private static boolean is(String type, JsonNode value) {
    return switch (type) {
      case "array" -> value.isArray();
      case "boolean" -> value.isBoolean();
      case "integer" -> value.isIntegralNumber();
      case "null" -> value.isNull();
      case "number" -> value.isNumber();
      case "object" -> value.isObject();
      default -> value.isTextual();
    };
  }

  private static boolean isOneOf(JsonNode value, JsonNode schema) {
    return (!schema.has("enum") || schema.path("enum").valueStream().anyMatch(value::equals))
        && (!schema.has("const") || schema.path("const").equals(value));
  }

  private static boolean isWithin(JsonNode value, JsonNode schema) {
    if (value.isNumber()) {
      BigDecimal number = value.decimalValue();
      return !isLess(number, schema.path("minimum"), 0)
          && !isLess(number, schema.path("exclusiveMinimum"), 1)
          && !isMore(number, schema.path("maximum"), 0)
          && !isMore(number, schema.path("exclusiveMaximum"), -1);
    }
    String what = value.isTextual() ? "Length" : value.isArray() ? "Items" : "Properties";
    int size =
        value.isTextual()
            ? value.textValue().codePointCount(0, value.textValue().length())
            : value.size();
    return size >= schema.path("min" + what).asInt(0)
        && size <= schema.path("max" + what).asInt(Integer.MAX_VALUE);
  }

  /**
   * @param least what comparing must give at least
   */
  private static boolean isLess(BigDecimal number, JsonNode bound, int least) {
    return bound.isNumber() && number.compareTo(bound.decimalValue()) < least;
  }

  private static boolean isMore(BigDecimal number, JsonNode bound, int most) {
    return bound.isNumber() && number.compareTo(bound.decimalValue()) > most;
  }

  private static boolean items(JsonNode value, JsonNode schema) {
    return value.valueStream().allMatch(item -> satisfies(item, schema.path("items")));
  }

  private static boolean members(JsonNode value, JsonNode schema) {
    JsonNode known = schema.path("properties");
    JsonNode others = schema.path("additionalProperties");
    if (!schema.path("required").valueStream().allMatch(name -> value.has(name.asText()))) {
      return false;
    }
    for (Map.Entry<String, JsonNode> member : value.properties()) {
      boolean named = known.has(member.getKey());
      if (!satisfies(member.getValue(), named ? known.path(member.getKey()) : others)) {
        return false;
      }
    }
    return true;
  }
}
