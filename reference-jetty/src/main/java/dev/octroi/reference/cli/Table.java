package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Rows in columns that are as wide as they must be, for people and for {@code awk}. */
final class Table {

  private static final String GAP = "  ";

  private final List<List<String>> lines = new ArrayList<>();

  Table(String... heads) {
    lines.add(Arrays.asList(heads));
  }

  /** A row for each object, with a column for each of these members. */
  static Table of(Iterable<JsonNode> objects, List<String> members) {
    Table table = new Table(members.stream().map(Table::head).toArray(String[]::new));
    objects.forEach(
        object ->
            table.row(members.stream().map(name -> cell(object, name)).toArray(String[]::new)));
    return table;
  }

  private static String head(String member) {
    return member.replaceAll("([A-Z])", " $1").toUpperCase(Locale.ROOT);
  }

  /** A row; an empty cell is a dash, so that columns can be counted. */
  Table row(String... cells) {
    lines.add(Arrays.stream(cells).map(cell -> cell.isEmpty() ? "-" : cell).toList());
    return this;
  }

  void print(PrintWriter out) {
    int columns = lines.get(0).size();
    int[] widths = new int[columns];
    lines.forEach(
        line -> {
          for (int i = 0; i < columns; i++) {
            widths[i] = Math.max(widths[i], line.get(i).length());
          }
        });
    for (List<String> line : lines) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        boolean last = i == columns - 1;
        text.append(
            last ? line.get(i) : (line.get(i) + " ".repeat(widths[i])).substring(0, widths[i]));
        text.append(last ? "" : GAP);
      }
      out.println(text);
    }
    out.flush();
  }

  /** A member as a cell; a list's elements with commas; empty if it is null or missing. */
  static String cell(JsonNode object, String member) {
    JsonNode value = object.path(member);
    if (value.isArray()) {
      List<String> elements = new ArrayList<>();
      value.forEach(element -> elements.add(element.asText()));
      return String.join(",", elements);
    }
    return value.isNull() ? "" : value.asText();
  }
}
