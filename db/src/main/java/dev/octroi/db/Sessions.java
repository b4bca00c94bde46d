package dev.octroi.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Tells a PostgreSQL from a pooler before it that lends a connection's session to others between
 * two transactions. There a statement that the driver has prepared on the server is missing, or is
 * another client's of the same name; so is the schema that {@link OwnSchema} has set.
 */
public final class Sessions {

  /** What a host is told; the gateway of its own says it with its settings' names. */
  private static final String SHARED =
      "a pooler lends the session of a database connection to others between transactions: add"
          + " prepareThreshold=0 to the address of the database, or let the pooler keep a session"
          + " for each client, as OwnSchema needs";

  /** A prepared statement is not there, or its name is taken. */
  private static final Set<String> LOST = Set.of("26000", "42P05");

  /** As often as the driver waits before it prepares a statement on the server, and once more. */
  private static final int TIMES = 6;

  private Sessions() {}

  /**
   * Looks whether a connection keeps its session while another one is used. Takes two connections.
   *
   * @throws SQLException of state 26000 if it does not
   */
  public static void require(DataSource database) throws SQLException {
    try (Connection one = database.getConnection()) {
      boolean before = one.getAutoCommit();
      one.setAutoCommit(true);
      try (PreparedStatement schema = one.prepareStatement("SELECT current_schema()")) {
        String own = answer(schema);
        String beside = beside(database, schema);
        if (!Objects.equals(own, beside)) {
          throw new SQLException("the schema was " + own + " and is " + beside, "26000");
        }
      } finally {
        one.setAutoCommit(before);
      }
    } catch (SQLException e) {
      throw LOST.contains(e.getSQLState()) ? new SQLException(SHARED, "26000", e) : e;
    }
  }

  /** What a statement answers while another connection has a transaction. */
  private static @Nullable String beside(DataSource database, PreparedStatement statement)
      throws SQLException {
    try (Connection other = database.getConnection()) {
      boolean before = other.getAutoCommit();
      other.setAutoCommit(false);
      try (PreparedStatement another = other.prepareStatement("SELECT 'of another connection'")) {
        answer(another);
        return answer(statement);
      } finally {
        other.rollback();
        other.setAutoCommit(before);
      }
    }
  }

  private static @Nullable String answer(PreparedStatement statement) throws SQLException {
    String answer = null;
    for (int time = 0; time < TIMES; time++) {
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        answer = row.getString(1);
      }
    }
    return answer;
  }
}
