package dev.octroi.reference.sandbox.cryptodata;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** SQL and structured queries over the on-chain tables. */
record OnchainQueries(OnchainTables tables) implements Family {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_ROWS = 10_000;
  private static final int DEFAULT_ROWS = 1_000;

  private static final String COLUMNS =
      """
      SELECT TABLE_SCHEMA AS "table_schema", TABLE_NAME AS "table_name",
        COLUMN_NAME AS "column_name", DATA_TYPE AS "data_type"
      FROM INFORMATION_SCHEMA.COLUMNS
      WHERE TABLE_SCHEMA NOT IN ('agent', 'INFORMATION_SCHEMA', 'PUBLIC')
      ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION
      """;

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /onchain/schema", ask -> schema(),
        "POST /onchain/sql", this::sql,
        "POST /onchain/query", this::structured);
  }

  private Fields schema() {
    Map<String, List<Fields>> byTable = new LinkedHashMap<>();
    for (Fields column : columns()) {
      String table = column.get("table_schema") + "." + column.get("table_name");
      byTable
          .computeIfAbsent(table, name -> new ArrayList<>())
          .add(
              Fields.of("name", column.get("column_name"))
                  .and("type", column.get("data_type"))
                  .and("comment", ""));
    }
    List<Fields> shown = new ArrayList<>();
    byTable.forEach(
        (name, columns) -> {
          int dot = name.indexOf('.');
          shown.add(
              Fields.of("database", name.substring(0, dot))
                  .and("table", name.substring(dot + 1))
                  .and("columns", columns));
        });
    return Fields.of("data", shown).and("meta", meta(shown.size(), shown.size(), 0));
  }

  private List<Fields> columns() {
    return tables.query(COLUMNS, List.of(), MOST_ROWS);
  }

  private Fields sql(Ask ask) {
    JsonNode body = body(ask);
    String sql = body.path("sql").asText("");
    int maxRows = bounded(body, "max_rows", DEFAULT_ROWS, 1);
    SelectOnly.check(sql);
    return timed(sql, List.of(), maxRows, 0);
  }

  private Fields structured(Ask ask) {
    JsonNode body = body(ask);
    int limit = bounded(body, "limit", 20, 1);
    int offset = bounded(body, "offset", 0, 0);
    StructuredQuery query = StructuredQuery.of(body, columns());
    String sql = query.sql() + " LIMIT " + limit + " OFFSET " + offset;
    return timed(sql, query.parameters(), limit, offset);
  }

  private Fields timed(String sql, List<?> parameters, int limit, int offset) {
    long begun = System.nanoTime();
    List<Fields> rows = tables.query(sql, parameters, limit);
    Fields meta = meta(rows.size(), limit, offset);
    meta.put("execution_time_ms", Duration.ofNanos(System.nanoTime() - begun).toMillis());
    return Fields.of("data", rows).and("meta", meta);
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
