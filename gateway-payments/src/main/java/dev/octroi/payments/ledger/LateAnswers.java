package dev.octroi.payments.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;

/**
 * Stores answers of calls that were settled before their effect, as long as their node still owns
 * the payment (money rule 1).
 */
final class LateAnswers {

  private static final String STORE =
      """
      INSERT INTO stored_answer (payment_id, stored_at, sealed, size)
      SELECT p.id, CAST(? AS TIMESTAMP WITH TIME ZONE), CAST(? AS BYTEA), CAST(? AS INTEGER) FROM payment p
      WHERE p.id = ? AND p.attempt = ? AND p.node = ? AND p.epoch = ?
        AND (p.state = 'SETTLED' OR (p.state = 'SETTLING' AND p.sent)) AND NOT p.delivered
        AND NOT EXISTS (SELECT 1 FROM stored_answer a WHERE a.payment_id = p.id)
      """;

  /** An earlier try may have been committed without our knowing. */
  private static final String STORED =
      """
      SELECT 1 FROM payment p JOIN stored_answer a ON a.payment_id = p.id
      WHERE p.id = ? AND p.attempt = ? AND p.node = ? AND p.epoch = ?
      """;

  private final Statements statements;
  private final Clock clock;

  LateAnswers(Statements statements, Clock clock) {
    this.statements = statements;
    this.clock = clock;
  }

  boolean store(Claim claim, Owner owner, byte[] sealed) {
    return statements.onConnection(connection -> store(connection, claim, owner, sealed));
  }

  private boolean store(Connection connection, Claim claim, Owner owner, byte[] sealed)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(STORE)) {
      statement.setObject(1, Rows.utc(clock.instant()));
      statement.setBytes(2, sealed);
      statement.setInt(3, sealed.length);
      bind(statement, 4, claim, owner);
      if (statement.executeUpdate() == 1) {
        return true;
      }
    }
    try (PreparedStatement statement = connection.prepareStatement(STORED)) {
      bind(statement, 1, claim, owner);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next();
      }
    }
  }

  private static void bind(PreparedStatement statement, int from, Claim claim, Owner owner)
      throws SQLException {
    statement.setObject(from, claim.id());
    statement.setInt(from + 1, claim.attempt());
    statement.setString(from + 2, owner.node());
    statement.setLong(from + 3, owner.epoch());
  }
}
