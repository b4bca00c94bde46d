package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A question about tables that the prompt lists, each a line such as {@code network.table(column
 * TYPE, column TYPE)}: the model answers with a query as JSON.
 */
record TableQuestion(List<Table> tables, String text) {

  private static final Pattern LINE = Pattern.compile("(?m)^(\\w+\\.\\w+)\\((.+)\\)$");
  private static final Pattern QUESTION = Pattern.compile("(?m)^Question: (.+)$");
  private static final Pattern ROWS =
      Pattern.compile("\\b(?:top|latest|first|largest|smallest) (\\d{1,4})\\b");
  private static final Pattern BY = Pattern.compile("\\bby (\\w+)");
  private static final Pattern BOUND =
      Pattern.compile("\\b(\\w+) (over|under|is) (?:(\\d{1,12})\\b|'([^']{1,100})')");
  private static final Pattern RISING = Pattern.compile("\\b(?:smallest|lowest|least)\\b");
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** A table and its columns. */
  record Table(String name, List<String> columns) {

    private long shared(Set<String> words) {
      return Pattern.compile("[._]").splitAsStream(name).filter(words::contains).count();
    }
  }

  /** What the prompt asks; empty where it lists no tables. */
  static Optional<TableQuestion> in(String prompt) {
    List<Table> tables = new ArrayList<>();
    Matcher line = LINE.matcher(prompt);
    while (line.find()) {
      List<String> columns = new ArrayList<>();
      for (String column : line.group(2).split(", ", -1)) {
        columns.add(column.split(" ", 2)[0]);
      }
      tables.add(new Table(line.group(1), columns));
    }
    Matcher question = QUESTION.matcher(prompt);
    return question.find() && !tables.isEmpty()
        ? Optional.of(new TableQuestion(tables, question.group(1).toLowerCase(Locale.ROOT)))
        : Optional.empty();
  }

  /** The table that shares most words with the question, and what it says about columns. */
  String query() {
    Set<String> words = new HashSet<>(List.of(text.split("\\W+", -1)));
    ObjectNode query = JSON.objectNode();
    Optional<Table> table =
        tables.stream()
            .filter(one -> tables.size() == 1 || one.shared(words) > 0)
            .max(Comparator.comparingLong(one -> one.shared(words)));
    query.put("source", table.map(Table::name).orElse(null));
    table.ifPresent(
        one -> {
          filter(one, query);
          sort(one, query);
        });
    Matcher rows = ROWS.matcher(text);
    if (rows.find()) {
      query.put("limit", Integer.parseInt(rows.group(1)));
    }
    return query.toString();
  }

  private void filter(Table table, ObjectNode query) {
    Matcher bound = BOUND.matcher(text);
    while (bound.find()) {
      if (table.columns().contains(bound.group(1))) {
        ObjectNode filter = query.withArray("filters").addObject().put("field", bound.group(1));
        switch (bound.group(2)) {
          case "over" -> filter.put("op", "gt");
          case "under" -> filter.put("op", "lt");
          default -> filter.put("op", "eq");
        }
        if (bound.group(3) == null) {
          filter.put("value", bound.group(4));
        } else {
          filter.put("value", Long.parseLong(bound.group(3)));
        }
      }
    }
  }

  private void sort(Table table, ObjectNode query) {
    Matcher by = BY.matcher(text);
    String column = by.find() ? by.group(1) : text.contains("latest") ? "block_time" : "";
    if (table.columns().contains(column)) {
      query
          .withArray("sort")
          .addObject()
          .put("field", column)
          .put("order", RISING.matcher(text).find() ? "asc" : "desc");
    }
  }
}
