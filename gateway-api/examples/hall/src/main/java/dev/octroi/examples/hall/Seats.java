package dev.octroi.examples.hall;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalInt;
import javax.sql.DataSource;

/**
 * The seats of a hall: a row each, which belongs to one payment at most and is there after a crash.
 * Thread-safe.
 */
final class Seats {

  private final DataSource database;

  private Seats(DataSource database) {
    this.database = database;
  }

  /** Makes the rows that are missing, in a table of the hall's own beside the ledger's. */
  static Seats open(DataSource database, int count) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "create table if not exists seat (number int primary key, payment varchar(64) unique)");
      for (int number = 1; number <= count; number++) {
        statement.execute("merge into seat (number) key (number) values (" + number + ")");
      }
    }
    return new Seats(database);
  }

  /** The seat of a payment: the one it holds, else the first free one; empty if none is left. */
  OptionalInt hold(String payment) throws SQLException {
    try (Connection connection = database.getConnection()) {
      OptionalInt held = find(connection, payment);
      // Another payment may take the very same seat meanwhile; then there may be another seat.
      while (held.isEmpty() && hasFree(connection)) {
        update(
            connection,
            "update seat set payment = ? where payment is null"
                + " and number = (select min(number) from seat where payment is null)",
            payment);
        held = find(connection, payment);
      }
      return held;
    }
  }

  private static boolean hasFree(Connection connection) throws SQLException {
    try (Statement query = connection.createStatement();
        ResultSet free = query.executeQuery("select 1 from seat where payment is null limit 1")) {
      return free.next();
    }
  }

  /** Gives the seat of a payment back. */
  void release(String payment) throws SQLException {
    try (Connection connection = database.getConnection()) {
      update(connection, "update seat set payment = null where payment = ?", payment);
    }
  }

  private static OptionalInt find(Connection connection, String payment) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement("select number from seat where payment = ?")) {
      query.setString(1, payment);
      try (ResultSet found = query.executeQuery()) {
        return found.next() ? OptionalInt.of(found.getInt(1)) : OptionalInt.empty();
      }
    }
  }

  private static void update(Connection connection, String sql, String payment)
      throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      update.setString(1, payment);
      update.executeUpdate();
    }
  }
}
