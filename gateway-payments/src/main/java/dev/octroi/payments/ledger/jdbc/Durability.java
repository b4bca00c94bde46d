package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.LedgerUnavailable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import javax.sql.DataSource;

/** Looks whether a database acknowledges commits that a crash may take back. */
public final class Durability {

  private static final String H2_DELAY =
      "SELECT setting_value FROM information_schema.settings WHERE setting_name = 'WRITE_DELAY'";

  private Durability() {}

  /**
   * What is wrong with a database that is to keep real money, and what to change; empty if nothing
   * is.
   *
   * @throws LedgerUnavailable if the database cannot be reached
   */
  public static Optional<String> problem(DataSource database) {
    try (Connection connection = database.getConnection()) {
      return problem(connection);
    } catch (SQLException e) {
      throw new LedgerUnavailable("the database cannot be reached", e);
    }
  }

  private static Optional<String> problem(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    if (product.equals("H2") && !"0".equals(told(connection, H2_DELAY))) {
      return Optional.of(
          "this H2 database loses commits that it has acknowledged, and with them payments: put"
              + " ;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE at the end of its address");
    }
    if (product.equals("PostgreSQL") && "off".equals(told(connection, "SHOW synchronous_commit"))) {
      return Optional.of(
          "this PostgreSQL loses commits that it has acknowledged, and with them payments: set"
              + " synchronous_commit to on for this database and its user");
    }
    return Optional.empty();
  }

  private static String told(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getString(1) : "";
    }
  }
}
