package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.formula.Formulas;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One on-chain table, {@code <network>.<name>}, as {@code tables.txt} states it. A query may read
 * these and nothing else.
 *
 * @param columns in their order
 * @param key what follows the columns where one is the primary key
 */
record OnchainTable(String network, String name, List<Column> columns, String key) {

  /** Where each table is also found, under the vendor's older name. */
  static final String OLDER = "agent";

  /** Every table, by network and name. */
  static final List<OnchainTable> ALL =
      Formulas.lines(OnchainTable.class, "tables.txt").stream()
          .flatMap(OnchainTable::of)
          .sorted(Comparator.comparing(OnchainTable::network).thenComparing(OnchainTable::name))
          .toList();

  private static final Map<String, OnchainTable> BY_NAME =
      ALL.stream().collect(Collectors.toMap(OnchainTable::fullName, Function.identity()));

  /**
   * A column.
   *
   * @param type as SQL spells it
   */
  record Column(String name, String type) {

    private static Column of(String text) {
      String[] parts = text.split(" ", 2);
      return new Column(parts[0], parts[1]);
    }

    /** The type without its length. */
    String plainType() {
      int length = type.indexOf('(');
      return length < 0 ? type : type.substring(0, length);
    }
  }

  private static Stream<OnchainTable> of(String line) {
    String[] cells = line.split("\\|", -1);
    List<Column> columns = Stream.of(cells[3].split(", ")).map(Column::of).toList();
    String key = cells[2].isEmpty() ? "" : ", PRIMARY KEY (" + cells[2] + ")";
    return Stream.of(cells[1].split(","))
        .map(network -> new OnchainTable(network, cells[0], columns, key));
  }

  /** The table of a name in any case, the older {@code agent.<network>_<name>} included. */
  static Optional<OnchainTable> find(String schema, String name) {
    String lower = schema.toLowerCase(Locale.ROOT) + "." + name.toLowerCase(Locale.ROOT);
    boolean older = lower.startsWith(OLDER + ".");
    return Optional.ofNullable(
        BY_NAME.get(older ? lower.substring(6).replaceFirst("_", ".") : lower));
  }

  /** Its name as SQL takes it. */
  String fullName() {
    return network + "." + name;
  }
}
