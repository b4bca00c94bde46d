package dev.octroi.sandbox.cryptodata;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.octroi.sandbox.formula.Refusal;
import dev.octroi.sandbox.formula.Row;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** SQL and structured queries over the on-chain tables. */
record OnchainQueries(OnchainTables tables) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_ROWS = 10_000;
  private static final int DEFAULT_ROWS = 1_000;
  private static final int LONGEST = 10_000;

  static Row schema() {
    List<Row> tables = OnchainTable.ALL.stream().map(OnchainQueries::shown).toList();
    return Row.of("data", tables).with("meta", meta(tables.size(), tables.size(), 0));
  }

  private static Row shown(OnchainTable table) {
    List<Row> columns =
        table.columns().stream()
            .map(
                column ->
                    Row.of("name", column.name(), "type", column.plainType()).with("comment", ""))
            .toList();
    return Row.of("database", table.network()).with("table", table.name()).with("columns", columns);
  }

  Row sql(byte[] given) {
    JsonNode body = body(given);
    String sql = body.path("sql").asText("");
    int maxRows = bounded(body, "max_rows", DEFAULT_ROWS, 1);
    return timed(new SqlQuery(sql, List.of(), maxRows), 0);
  }

  Row structured(byte[] given) {
    JsonNode body = body(given);
    int limit = bounded(body, "limit", 20, 1);
    int offset = bounded(body, "offset", 0, 0);
    StructuredQuery query = StructuredQuery.of(body);
    String sql = query.sql() + " LIMIT " + limit + " OFFSET " + offset;
    return timed(new SqlQuery(sql, query.parameters(), limit), offset);
  }

  private Row timed(SqlQuery query, int offset) {
    if (query.sql().isBlank() || query.sql().length() > LONGEST) {
      throw Refusal.badRequest("A statement has 1 to " + LONGEST + " characters");
    }
    long begun = System.nanoTime();
    SqlAnswer answer = tables.query(query);
    Row meta = meta(answer.rows(), query.maxRows(), offset);
    meta.put("execution_time_ms", Duration.ofNanos(System.nanoTime() - begun).toMillis());
    return Row.of("data", new RawValue(answer.text())).with("meta", meta);
  }

  private static JsonNode body(byte[] given) {
    try {
      JsonNode body = JSON.readTree(given);
      if (body != null && body.isObject()) {
        return body;
      }
    } catch (IOException notJson) {
      // Refused below, as any other body that is no object.
    }
    throw Refusal.badRequest("The body must be a JSON object");
  }

  private static int bounded(JsonNode body, String field, int otherwise, int least) {
    JsonNode node = body.path(field);
    if (node.isMissingNode() || node.isNull()) {
      return otherwise;
    }
    if (!node.canConvertToInt() || node.intValue() < least || node.intValue() > MOST_ROWS) {
      throw Refusal.invalid(field, "out_of_range", "Input is out of range");
    }
    return node.intValue();
  }

  private static Row meta(int total, int limit, int offset) {
    return Row.of("cached", false, "credits_used", 5, "empty_reason", "")
        .with("has_more", false)
        .with("limit", limit)
        .with("offset", offset)
        .with("total", total);
  }
}
