package dev.octroi.services.cryptodata;

import static dev.octroi.services.read.UpstreamJson.at;
import static dev.octroi.services.read.UpstreamJson.listOrNull;
import static dev.octroi.services.read.UpstreamJson.object;
import static dev.octroi.services.read.UpstreamJson.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The SQL-result record (specification, crypto-data records) from the vendor's list of row objects.
 * Columns are named in order of appearance; a row without one has null there. Without any row the
 * vendor names no columns.
 */
final class SqlResult {

  /** Rows that have no column in common make a table of many times their size. */
  private static final int MOST_CELLS = 4_000_000;

  private SqlResult() {}

  /**
   * @param took what the call took; the vendor's own figure goes before it
   */
  static byte[] of(UpstreamAnswer answer, Duration took) {
    JsonNode said = object(answer.body());
    JsonNode objects = listOrNull(said, "data");
    Set<String> columns = new LinkedHashSet<>();
    objects.forEach(row -> row.fieldNames().forEachRemaining(columns::add));
    Failures.require((long) columns.size() * objects.size() <= MOST_CELLS, "it has too many cells");
    ObjectNode result = record();
    ArrayNode names = result.putArray("columns");
    columns.forEach(names::add);
    ArrayNode rows = result.putArray("rows");
    for (JsonNode object : objects) {
      ArrayNode row = rows.addArray();
      columns.forEach(column -> row.add(at(object, column)));
    }
    result.put("row_count", objects.size());
    JsonNode measured = said.path("meta").path("execution_time_ms");
    result.put("execution_time_ms", measured.isNumber() ? measured.longValue() : took.toMillis());
    return UpstreamJson.bytes(result);
  }
}
