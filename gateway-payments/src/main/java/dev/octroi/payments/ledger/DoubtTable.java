package dev.octroi.payments.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists the payments whose end is not known yet, in place of an index on their state. */
final class DoubtTable {

  private static final String BEGIN =
      "INSERT INTO doubt (payment_id, since, reason, tx) VALUES (?, ?, ?, ?)";

  private static final String END = "DELETE FROM doubt WHERE payment_id = ?";

  private DoubtTable() {}

  /** Notes what the steps that were done begin and end. */
  static void write(Connection connection, List<Transition> done, Instant now) throws SQLException {
    List<Transition> ended = done.stream().filter(Transition::mayEndDoubt).toList();
    if (!ended.isEmpty()) {
      end(connection, ended);
    }
    List<Transition> begun =
        done.stream()
            .filter(
                transition ->
                    transition.target() == PaymentState.IN_DOUBT || transition.isSending())
            .toList();
    if (!begun.isEmpty()) {
      begin(connection, begun, now);
    }
  }

  private static void end(Connection connection, List<Transition> transitions) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(END)) {
      for (Transition transition : transitions) {
        statement.setObject(1, transition.id());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static void begin(Connection connection, List<Transition> transitions, Instant now)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(BEGIN)) {
      for (Transition transition : transitions) {
        statement.setObject(1, transition.id());
        statement.setObject(2, Rows.utc(now));
        statement.setString(3, orEmpty(transition.reason()));
        statement.setString(4, transition.transaction());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
