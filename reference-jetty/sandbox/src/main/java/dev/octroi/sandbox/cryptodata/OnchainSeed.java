package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.formula.Formulas;
import dev.octroi.sandbox.formula.Row;
import dev.octroi.sandbox.formula.TimedCall;
import dev.octroi.sandbox.formula.Values;
import dev.octroi.sandbox.world.World;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes the on-chain tables and fills them with what {@code onchain.txt} says of the world. */
final class OnchainSeed {

  private static final long DAY = 86_400;

  private OnchainSeed() {}

  /**
   * Fills a new database.
   *
   * @param now from which follows where the tables end, in Unix seconds
   */
  static void fill(Connection connection, long now) throws SQLException {
    Formulas formulas = World.formulas(name -> null).read(OnchainSeed.class, "onchain.txt");
    connection.setAutoCommit(false);
    run(connection, "CREATE SCHEMA " + OnchainTable.OLDER);
    for (String network : networks()) {
      run(connection, "CREATE SCHEMA " + network);
    }
    for (OnchainTable table : OnchainTable.ALL) {
      make(connection, table);
      TimedCall call = call(table, now);
      insert(connection, table, Values.list(formulas.value("rows_of_" + table.name(), call)));
    }
    connection.setAutoCommit(true);
  }

  private static TimedCall call(OnchainTable table, long now) {
    return new TimedCall(Map.of("network", table.network()), new byte[0], now);
  }

  /** Lets an account select from the tables, and do nothing else. */
  static void letRead(Connection connection, String reader) throws SQLException {
    for (String network : networks()) {
      run(connection, "GRANT SELECT ON SCHEMA " + network + " TO " + reader);
    }
    run(connection, "GRANT SELECT ON SCHEMA " + OnchainTable.OLDER + " TO " + reader);
  }

  private static List<String> networks() {
    return OnchainTable.ALL.stream().map(OnchainTable::network).distinct().toList();
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void make(Connection connection, OnchainTable table) throws SQLException {
    String columns =
        table.columns().stream()
            .map(column -> '"' + column.name() + "\" " + column.type())
            .collect(Collectors.joining(", "));
    run(connection, "CREATE TABLE " + table.fullName() + " (" + columns + table.key() + ")");
    String older = OnchainTable.OLDER + "." + table.network() + "_" + table.name();
    run(connection, "CREATE VIEW " + older + " AS SELECT * FROM " + table.fullName());
  }

  private static void insert(Connection connection, OnchainTable table, List<?> rows)
      throws SQLException {
    int cells = table.columns().size();
    String marks = "?" + ", ?".repeat(cells - 1);
    String sql = "INSERT INTO " + table.fullName() + " VALUES (" + marks + ")";
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (Object row : rows) {
        for (int at = 0; at < cells; at++) {
          OnchainTable.Column column = table.columns().get(at);
          insert.setObject(at + 1, cell(column.type(), ((Row) row).get(column.name())));
        }
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  /** Times and dates are seconds in the world. */
  private static @Nullable Object cell(String type, @Nullable Object value) {
    if (type.startsWith("TIMESTAMP")) {
      return Instant.ofEpochSecond(Values.whole(value)).atOffset(ZoneOffset.UTC);
    }
    return type.equals("DATE") ? LocalDate.ofEpochDay(Values.whole(value) / DAY) : value;
  }
}
