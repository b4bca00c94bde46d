package dev.octroi.sandbox.cryptodata;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.util.RawValue;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** SQL and structured queries over the on-chain tables. */
record OnchainQueries(OnchainTables tables) implements Family {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_ROWS = 10_000;
  private static final int DEFAULT_ROWS = 1_000;
  private static final int LONGEST = 10_000;

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /onchain/schema", ask -> schema(),
        "POST /onchain/sql", this::sql,
        "POST /onchain/query", this::structured);
  }

  private static Fields schema() {
    List<Fields> tables = OnchainTable.ALL.stream().map(OnchainQueries::shown).toList();
    return Fields.of("data", tables).and("meta", meta(tables.size(), tables.size(), 0));
  }

  private static Fields shown(OnchainTable table) {
    List<Fields> columns =
        table.columns().stream()
            .map(
                column ->
                    Fields.of("name", column.name())
                        .and("type", column.plainType())
                        .and("comment", ""))
            .toList();
    return Fields.of("database", table.network())
        .and("table", table.name())
        .and("columns", columns);
  }

  private Fields sql(Ask ask) {
    JsonNode body = body(ask);
    String sql = body.path("sql").asText("");
    int maxRows = bounded(body, "max_rows", DEFAULT_ROWS, 1);
    return timed(new SqlQuery(sql, List.of(), maxRows), 0);
  }

  private Fields structured(Ask ask) {
    JsonNode body = body(ask);
    int limit = bounded(body, "limit", 20, 1);
    int offset = bounded(body, "offset", 0, 0);
    StructuredQuery query = StructuredQuery.of(body);
    String sql = query.sql() + " LIMIT " + limit + " OFFSET " + offset;
    return timed(new SqlQuery(sql, query.parameters(), limit), offset);
  }

  private Fields timed(SqlQuery query, int offset) {
    if (query.sql().isBlank() || query.sql().length() > LONGEST) {
      throw Refusal.badRequest("A statement has 1 to " + LONGEST + " characters");
    }
    long begun = System.nanoTime();
    SqlAnswer answer = tables.query(query);
    Fields meta = meta(answer.rows(), query.maxRows(), offset);
    meta.put("execution_time_ms", Duration.ofNanos(System.nanoTime() - begun).toMillis());
    return Fields.of("data", new RawValue(answer.text())).and("meta", meta);
  }

  private static JsonNode body(Ask ask) {
    try {
      JsonNode body = JSON.readTree(ask.body());
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
      throw Refusal.invalid("Field " + field + " is out of range");
    }
    return node.intValue();
  }

  private static Fields meta(int total, int limit, int offset) {
    return Fields.of("cached", false)
        .and("credits_used", 5)
        .and("limit", limit)
        .and("offset", offset)
        .and("total", total);
  }
}
