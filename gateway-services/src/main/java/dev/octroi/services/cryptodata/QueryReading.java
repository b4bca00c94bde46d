package dev.octroi.services.cryptodata;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.cryptodata.QuestionTranslator.Question;
import dev.octroi.services.cryptodata.QuestionTranslator.SchemaTable;
import dev.octroi.services.cryptodata.QuestionTranslator.StructuredQuery;
import dev.octroi.services.language.LanguageJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads the query that a model wrote. Nothing goes to the upstream but tables, columns and
 * operators that exist; whatever else the model wrote is 502. A query that leaves out what the
 * question says is refused.
 */
final class QueryReading {

  private static final int MOST_CONDITIONS = 20;
  private static final int MOST_VALUES = 100;
  private static final int MOST_ROWS = 10_000;
  private static final int DEFAULT_ROWS = 20;
  private static final int MOST_PLACES = 100;

  private static final Set<String> COMPARISONS =
      Set.of("eq", "neq", "gt", "gte", "lt", "lte", "like");
  private static final Set<String> CHOICES = Set.of("in", "not_in");

  private final SchemaTable table;

  private QueryReading(SchemaTable table) {
    this.table = table;
  }

  /**
   * The query.
   *
   * @param text what the model wrote, prose around the JSON included
   * @param tables those that it may use
   * @throws Failure 400 {@code invalid_params} where no table answers the question or the query
   *     leaves out what it says, 502 for what is no query of these tables
   */
  static StructuredQuery of(String text, List<SchemaTable> tables, Question question) {
    JsonNode query = object(text);
    JsonNode source = query.path("source");
    if (source.isNull()) {
      throw Failure.invalid("No table of the schema answers the question");
    }
    return tables.stream()
        .filter(table -> source.isTextual() && table.source().equals(source.textValue()))
        .findFirst()
        .map(QueryReading::new)
        .orElseThrow(QueryReading::unusable)
        .query(query, question);
  }

  private static JsonNode object(String text) {
    int from = text.indexOf('{');
    int to = text.lastIndexOf('}');
    JsonNode tree = LanguageJson.tree(from < 0 || to < from ? "" : text.substring(from, to + 1));
    if (!tree.isObject()) {
      throw unusable();
    }
    return tree;
  }

  private StructuredQuery query(JsonNode query, Question question) {
    List<String> fields = new ArrayList<>();
    list(query, "fields").forEach(field -> fields.add(column(field)));
    List<StructuredQuery.Filter> filters = new ArrayList<>();
    list(query, "filters").forEach(filter -> filters.add(filter(filter)));
    List<StructuredQuery.Sort> sort = new ArrayList<>();
    list(query, "sort").forEach(order -> sort.add(sort(order)));
    int limit = question.limit().orElseGet(() -> rows(query.path("limit")));
    StructuredQuery made = new StructuredQuery(table.source(), fields, filters, sort, limit);
    Set<String> unmet = UnmetConditions.of(question.text(), table, made, query.path("limit"));
    if (!unmet.isEmpty()) {
      throw Failure.invalid(
          "question says what the query made of it leaves out: "
              + unmet.stream().limit(10).collect(Collectors.joining(", "))
              + ". Compare columns with values (amount over 100), or ask onchain/sql");
    }
    return made;
  }

  private JsonNode list(JsonNode query, String name) {
    JsonNode list = query.path(name);
    boolean absent = list.isMissingNode() || list.isNull();
    int most = Math.max(MOST_CONDITIONS, table.columns().size());
    if (!absent && !(list.isArray() && list.size() <= most)) {
      throw unusable();
    }
    return list;
  }

  private String column(JsonNode name) {
    if (!name.isTextual() || !table.columns().contains(name.textValue())) {
      throw unusable();
    }
    return name.textValue();
  }

  private StructuredQuery.Filter filter(JsonNode filter) {
    String op = filter.path("op").asText();
    JsonNode value = filter.path("value");
    boolean compares = COMPARISONS.contains(op) && isScalar(value);
    boolean chooses =
        CHOICES.contains(op)
            && value.isArray()
            && !value.isEmpty()
            && value.size() <= MOST_VALUES
            && value.valueStream().allMatch(QueryReading::isScalar);
    if (!compares && !chooses) {
      throw unusable();
    }
    return new StructuredQuery.Filter(column(filter.path("field")), op, value);
  }

  /** A number of few signs can have a thousand million digits, which are written out later. */
  private static boolean isScalar(JsonNode value) {
    return value.isTextual()
        || value.isBoolean()
        || (value.isNumber() && Math.abs((long) value.decimalValue().scale()) <= MOST_PLACES);
  }

  private StructuredQuery.Sort sort(JsonNode order) {
    return new StructuredQuery.Sort(
        column(order.path("field")), order.path("order").asText().equals("desc"));
  }

  private static int rows(JsonNode limit) {
    return limit.canConvertToInt() && limit.intValue() > 0
        ? Math.min(MOST_ROWS, limit.intValue())
        : DEFAULT_ROWS;
  }

  private static Failure unusable() {
    return new Failure(ErrorCode.UPSTREAM_FAILED, "The model did not make a query of the question");
  }
}
