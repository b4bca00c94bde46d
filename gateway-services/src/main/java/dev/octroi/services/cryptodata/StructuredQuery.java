package dev.octroi.services.cryptodata;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.read.UpstreamJson;
import java.util.List;

/**
 * A query as the upstream takes it.
 *
 * @param source a table of the schema
 * @param fields columns wanted; empty for all
 * @param filters all of which a row must meet
 * @param sort the most significant first
 * @param limit rows at most
 */
public record StructuredQuery(
    String source, List<String> fields, List<Filter> filters, List<Sort> sort, int limit) {

  /**
   * A condition on a column.
   *
   * @param op such as {@code eq} or {@code gte}
   * @param value a text, number or boolean, or an array of them for {@code in} and {@code not_in}
   */
  public record Filter(String field, String op, JsonNode value) {}

  /** An order by a column. */
  public record Sort(String field, boolean descending) {}

  byte[] json() {
    ObjectNode query = UpstreamJson.record();
    query.put("source", source);
    if (!fields.isEmpty()) {
      fields.forEach(query.putArray("fields")::add);
    }
    if (!filters.isEmpty()) {
      ArrayNode conditions = query.putArray("filters");
      for (Filter filter : filters) {
        ObjectNode condition = conditions.addObject();
        condition.put("field", filter.field()).put("op", filter.op());
        condition.set("value", filter.value());
      }
    }
    if (!sort.isEmpty()) {
      ArrayNode orders = query.putArray("sort");
      for (Sort order : sort) {
        String direction = order.descending() ? "desc" : "asc";
        orders.addObject().put("field", order.field()).put("order", direction);
      }
    }
    query.put("limit", limit);
    return UpstreamJson.bytes(query);
  }
}
