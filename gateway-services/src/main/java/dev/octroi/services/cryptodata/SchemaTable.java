package dev.octroi.services.cryptodata;

import java.util.List;

/**
 * A table that can be queried.
 *
 * @param source its qualified name, as a query's source
 * @param columns their names in order
 * @param types of the columns, in the same order; empty where the upstream does not tell
 */
public record SchemaTable(String source, List<String> columns, List<String> types) {

  public SchemaTable {
    columns = List.copyOf(columns);
    types = List.copyOf(types);
  }

  /** A table whose types are not known. */
  public SchemaTable(String source, List<String> columns) {
    this(source, columns, List.of());
  }

  /** Whether it goes by that name, also where network and table are joined by another character. */
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
