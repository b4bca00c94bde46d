package dev.octroi.payments.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists the payments whose end is not known yet, in place of an index on their state. */
final class Doubts {

  private static final String BEGIN =
      "INSERT INTO doubt (payment_id, since, reason, tx) VALUES (?, ?, ?, ?)";

  private static final String END = "DELETE FROM doubt WHERE payment_id = ?";

  private Doubts() {}

  /** Notes what the steps that were done begin and end. */
  static void write(Connection connection, List<Step> done, Instant now) throws SQLException {
    List<Step> ended = done.stream().filter(Step::mayEndDoubt).toList();
    if (!ended.isEmpty()) {
      end(connection, ended);
    }
    List<Step> begun =
        done.stream()
            .filter(step -> step.target() == PaymentState.IN_DOUBT || step.isSending())
            .toList();
    if (!begun.isEmpty()) {
      begin(connection, begun, now);
    }
  }

  private static void end(Connection connection, List<Step> steps) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(END)) {
      for (Step step : steps) {
        statement.setObject(1, step.id());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static void begin(Connection connection, List<Step> steps, Instant now)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(BEGIN)) {
      for (Step step : steps) {
        statement.setObject(1, step.id());
        statement.setObject(2, Rows.utc(now));
        statement.setString(3, orEmpty(step.reason()));
        statement.setString(4, step.transaction());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
