package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** Rows in columns that are as wide as they must be, two spaces apart: {@code awk -F ' +'}. */
final class Table {

  private static final String GAP = "  ";

  private final List<List<String>> lines = new ArrayList<>();
  private final String empty;

  /** A table whose head is always printed. */
  Table(String... heads) {
    this(Arrays.asList(heads), "");
  }

  private Table(List<String> heads, String empty) {
    this.empty = empty;
    lines.add(heads);
  }

  /**
   * A list that may be empty, which it then says.
   *
   * @param things what is listed, such as {@code payments}
   */
  static Table list(String things, String... heads) {
    return new Table(Arrays.asList(heads), "There are no " + things + ".");
  }

  /** A row for each object, with a column for each of these members. */
  static Table of(String things, Iterable<JsonNode> objects, List<String> members) {
    Table table = list(things, members.stream().map(Table::head).toArray(String[]::new));
    objects.forEach(object -> table.row(object, members.toArray(String[]::new)));
    return table;
  }

  private static String head(String member) {
    return member.replaceAll(".*[.]", "").replaceAll("([A-Z])", " $1").toUpperCase(Locale.ROOT);
  }

  /** A row; an empty cell is a dash, so that columns can be counted. */
  Table row(String... cells) {
    lines.add(Arrays.stream(cells).map(cell -> cell.isEmpty() ? "-" : cell).toList());
    return this;
  }

  /** A row of an object's members. */
  Table row(JsonNode object, String... members) {
    return row(Arrays.stream(members).map(name -> cell(object, name)).toArray(String[]::new));
  }

  /** A row for each of these members, with its name before it. */
  Table members(JsonNode object, String... members) {
    for (String member : members) {
      row(member, cell(object, member));
    }
    return this;
  }

  void print(PrintWriter out) {
    print(out, first -> first);
  }

  /**
   * Prints it.
   *
   * @param colour of what stands in the first column, padded
   */
  void print(PrintWriter out, UnaryOperator<String> colour) {
    if (lines.size() == 1 && !empty.isEmpty()) {
      out.println(empty);
      out.flush();
      return;
    }
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
        String cell =
            last ? line.get(i) : (line.get(i) + " ".repeat(widths[i])).substring(0, widths[i]);
        text.append(i == 0 ? colour.apply(cell) : cell).append(last ? "" : GAP);
      }
      out.println(text);
    }
    out.flush();
  }

  /**
   * A member as a cell; a list's elements with commas; empty if it is null or missing.
   *
   * @param member a name, or names with dots between them
   */
  static String cell(JsonNode object, String member) {
    JsonNode value = object;
    for (String name : member.split("[.]")) {
      value = value.path(name);
    }
    if (value.isArray()) {
      List<String> elements = new ArrayList<>();
      value.forEach(element -> elements.add(element.asText()));
      return String.join(",", elements);
    }
    return value.isNull() ? "" : value.asText();
  }
}
