package dev.octroi.sandbox.world;

import dev.octroi.sandbox.formula.Formulas;
import dev.octroi.sandbox.formula.Row;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the tables of the world: one row a line, cells between bars, the first line names the
 * columns. {@code name:n} is a column of numbers, {@code name:l} one of lists with commas.
 */
final class Tables {

  private Tables() {}

  /**
   * All rows of a table.
   *
   * @param type the type of its items
   */
  static List<Row> rows(String type, String resource) {
    List<String> lines = Formulas.lines(Tables.class, resource);
    String[] columns = lines.get(0).split("\\|");
    List<Row> rows = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split("\\|", -1);
      Row row = new Row(type);
      row.put("index", (long) rows.size());
      for (int at = 0; at < columns.length; at++) {
        String[] column = columns[at].split(":");
        row.put(column[0], value(column.length > 1 ? column[1] : "", cells[at]));
      }
      rows.add(row);
    }
    return List.copyOf(rows);
  }

  private static Object value(String kind, String cell) {
    return switch (kind) {
      case "n" -> number(cell);
      case "l" -> cell.isEmpty() ? List.of() : List.of(cell.split(","));
      default -> cell;
    };
  }

  private static Object number(String cell) {
    return cell.contains(".") ? (Object) Double.valueOf(cell) : (Object) Long.valueOf(cell);
  }
}
