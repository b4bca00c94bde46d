package dev.octroi.services.cryptodata;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.Deadline;
import dev.octroi.services.read.UpstreamJson;
import java.util.List;
import java.util.Optional;

/**
 * Makes a query of a question: {@link ModelTranslator} by a language model, {@link WordTranslator}
 * without one. Thread-safe.
 */
@FunctionalInterface
public interface QuestionTranslator {

  /**
   * The query.
   *
   * @param schema the upstream's tables; empty when it does not tell
   * @param deadline when the translation must have ended
   * @throws dev.octroi.services.Failure 400 {@code invalid_params} for a question about nothing
   *     that is there
   */
  StructuredQuery translate(Question question, List<SchemaTable> schema, Deadline deadline);

  /**
   * What a caller of {@code POST /onchain/query} asks.
   *
   * @param source the table, if the caller names one
   * @param text natural language
   * @param limit rows at most, if the caller says so
   */
  record Question(Optional<String> source, String text, Optional<Integer> limit) {}

  /**
   * A table that can be queried.
   *
   * @param source its qualified name, as a query's source
   * @param columns their names in order
   * @param types of the columns, in the same order; empty where the upstream does not tell
   */
  record SchemaTable(String source, List<String> columns, List<String> types) {

    public SchemaTable {
      columns = List.copyOf(columns);
      types = List.copyOf(types);
    }

    /** A table whose types are not known. */
    public SchemaTable(String source, List<String> columns) {
      this(source, columns, List.of());
    }

    /**
     * Whether it goes by that name, also where network and table are joined by another character.
     */
    boolean isNamed(String name) {
      String joined = name.replace('.', '_');
      return source.equalsIgnoreCase(name)
          || source.replace('.', '_').equalsIgnoreCase(joined)
          || source.endsWith("." + joined);
    }

    /** A line such as {@code ethereum.transfers(block_time TIMESTAMP, amount DECIMAL)}. */
    String listed() {
      StringBuilder line = new StringBuilder(source).append('(');
      for (int at = 0; at < columns.size(); at++) {
        line.append(at == 0 ? "" : ", ").append(columns.get(at));
        if (at < types.size()) {
          line.append(' ').append(types.get(at));
        }
      }
      return line.append(')').toString();
    }
  }

  /**
   * A query as the upstream takes it.
   *
   * @param source a table of the schema
   * @param fields columns wanted; empty for all
   * @param filters all of which a row must meet
   * @param sort the most significant first
   * @param limit rows at most
   */
  record StructuredQuery(
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
}
