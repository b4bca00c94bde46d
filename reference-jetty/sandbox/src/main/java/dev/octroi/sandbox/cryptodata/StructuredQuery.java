package dev.octroi.sandbox.cryptodata;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.sandbox.formula.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A structured query as SQL: names are taken only if a table has them, values are bound.
 *
 * @param sql without its limit
 * @param parameters for its question marks
 */
record StructuredQuery(String sql, List<Object> parameters) {

  private static final Map<String, String> OPERATORS =
      Map.of(
          "eq", "=", "neq", "<>", "gt", ">", "gte", ">=", "lt", "<", "lte", "<=", "like", "LIKE");

  private static final int MOST_VALUES = 100;

  /** Translates a body. */
  static StructuredQuery of(JsonNode body) {
    OnchainTable source = source(body.path("source").asText(""));
    Set<String> known =
        source.columns().stream().map(OnchainTable.Column::name).collect(Collectors.toSet());
    List<Object> parameters = new ArrayList<>();
    List<String> fields = new ArrayList<>();
    body.path("fields").forEach(field -> fields.add(name(field.asText(), known)));
    List<String> conditions = new ArrayList<>();
    body.path("filters").forEach(filter -> conditions.add(condition(filter, known, parameters)));
    List<String> order = new ArrayList<>();
    body.path("sort").forEach(sort -> order.add(order(sort, known)));
    String sql =
        "SELECT "
            + (fields.isEmpty() ? "*" : String.join(", ", fields))
            + " FROM "
            + source.fullName()
            + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions))
            + (order.isEmpty() ? "" : " ORDER BY " + String.join(", ", order));
    return new StructuredQuery(sql, parameters);
  }

  /** {@code network.table}, also from the older {@code agent.network_table}. */
  private static OnchainTable source(String text) {
    int dot = text.indexOf('.');
    return OnchainTable.find(text.substring(0, Math.max(0, dot)), text.substring(dot + 1))
        .orElseThrow(() -> Refusal.badRequest("Unknown source"));
  }

  private static String name(String text, Set<String> known) {
    if (!known.contains(text)) {
      throw Refusal.badRequest("Unknown field");
    }
    return '"' + text + '"';
  }

  private static String condition(JsonNode filter, Set<String> known, List<Object> parameters) {
    String field = name(filter.path("field").asText(), known);
    String op = filter.path("op").asText("");
    JsonNode value = filter.path("value");
    if (op.equals("in") || op.equals("not_in")) {
      if (!value.isArray() || value.isEmpty() || value.size() > MOST_VALUES) {
        throw Refusal.badRequest("Filter " + op + " takes an array of 1 to 100 values");
      }
      value.forEach(item -> parameters.add(scalar(item)));
      String marks = "?" + ", ?".repeat(value.size() - 1);
      return field + (op.equals("in") ? " IN (" : " NOT IN (") + marks + ")";
    }
    String operator = OPERATORS.get(op);
    if (operator == null) {
      throw Refusal.badRequest("Unknown filter operator");
    }
    parameters.add(scalar(value));
    return field + " " + operator + " ?";
  }

  private static Object scalar(JsonNode value) {
    if (!value.isValueNode() || value.isNull()) {
      throw Refusal.badRequest("A filter's value must be a text, number or boolean");
    }
    if (value.isBoolean()) {
      return value.booleanValue();
    }
    if (value.isNumber() && !Double.isFinite(value.doubleValue())) {
      throw Refusal.badRequest("A filter's number is too large");
    }
    return value.isNumber() ? value.numberValue() : value.textValue();
  }

  private static String order(JsonNode sort, Set<String> known) {
    String direction = sort.path("order").asText("asc").equals("desc") ? " DESC" : " ASC";
    return name(sort.path("field").asText(), known) + direction;
  }
}
