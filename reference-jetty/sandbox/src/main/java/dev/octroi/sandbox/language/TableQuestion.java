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
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A question about tables that the prompt lists, each a line such as {@code network.table(column
 * TYPE, column TYPE)}: the model answers with a query as JSON. A question that says more than it
 * understands gets none: its source is null.
 */
record TableQuestion(List<Table> tables, String text) {

  private static final Pattern LINE = Pattern.compile("(?m)^(\\w+\\.\\w+)\\((.+)\\)$");
  private static final Pattern QUESTION = Pattern.compile("(?m)^Question: (.+)$");
  private static final Pattern ROWS =
      Pattern.compile("\\b(?:top|latest|first|largest|smallest) (\\d{1,4})\\b");
  private static final Pattern BY = Pattern.compile("\\bby (\\w+)");
  private static final Pattern BOUND =
      Pattern.compile("\\b(\\w+) (over|under|is) (?:(\\d{1,12})\\b|'([^']{1,100})')");
  private static final Set<String> RANKS =
      Set.of("top", "largest", "highest", "biggest", "most", "smallest", "lowest", "least");
  private static final String TIME = "block_time";
  private static final Pattern RISING = Pattern.compile("\\b(?:smallest|lowest|least)\\b");
  private static final Pattern WORD = Pattern.compile("\\w+");

  /** Words that say nothing about which rows are wanted. */
  private static final Set<String> FILLERS =
      Set.of(
          "a", "all", "an", "and", "are", "by", "find", "for", "from", "get", "give", "i", "in",
          "is", "list", "me", "of", "on", "please", "row", "rows", "show", "table", "tell", "that",
          "the", "there", "to", "want", "was", "were", "what", "where", "which", "whose", "with");

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** A table and its columns. */
  record Table(String name, List<String> columns) {

    private long shared(Set<String> words) {
      return parts().filter(words::contains).count();
    }

    /** Whether a word is of its name. */
    private boolean has(String word) {
      return parts().anyMatch(word::equals);
    }

    private Stream<String> parts() {
      return Pattern.compile("[._]").splitAsStream(name);
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
    Optional<Table> table =
        tables.stream()
            .filter(one -> tables.size() == 1 || one.shared(words) > 0)
            .max(Comparator.comparingLong(one -> one.shared(words)));
    return table
        .flatMap(this::query)
        .orElseGet(() -> JSON.objectNode().put("source", (String) null))
        .toString();
  }

  /** The query; empty where the question says more. */
  private Optional<ObjectNode> query(Table table) {
    ObjectNode query = JSON.objectNode().put("source", table.name());
    StringBuilder rest = new StringBuilder(text);
    filter(table, query, rest);
    Set<String> ranks = sort(table, query, rest);
    Matcher rows = ROWS.matcher(text);
    if (rows.find()) {
      query.put("limit", Integer.parseInt(rows.group(1)));
      blank(rest, rows.start(1), rows.end(1));
    }
    return WORD.matcher(rest)
            .results()
            .map(MatchResult::group)
            .allMatch(word -> FILLERS.contains(word) || ranks.contains(word) || table.has(word))
        ? Optional.of(query)
        : Optional.empty();
  }

  private static void blank(StringBuilder rest, int start, int end) {
    rest.replace(start, end, " ".repeat(end - start));
  }

  private void filter(Table table, ObjectNode query, StringBuilder rest) {
    Matcher bound = BOUND.matcher(text);
    while (bound.find()) {
      if (table.columns().contains(bound.group(1))) {
        blank(rest, bound.start(), bound.end());
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

  /** Words of rank that the order says; none without an order. */
  private Set<String> sort(Table table, ObjectNode query, StringBuilder rest) {
    Matcher by = BY.matcher(text);
    boolean named = by.find();
    String column = named ? by.group(1) : text.contains("latest") ? TIME : "";
    if (!table.columns().contains(column)) {
      return Set.of();
    }
    if (named) {
      blank(rest, by.start(), by.end());
    }
    query
        .withArray("sort")
        .addObject()
        .put("field", column)
        .put("order", RISING.matcher(text).find() ? "asc" : "desc");
    return column.equals(TIME) ? Set.of("latest") : RANKS;
  }
}
