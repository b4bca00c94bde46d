package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.ledger.PaymentState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The small table of unresolved payments, read and closed on the ledger's writer threads. */
record JdbcUnresolvedPayments(
    Statements statements, Dialect dialect, Transitions transitions, Duration deadline)
    implements UnresolvedPayments {

  private static final String COLUMNS =
      """
      SELECT p.id, p.attempt, p.network, p.payer, p.nonce, p.asset, p.pay_to, COALESCE(p.charged, p.amount) AS amount,
        p.valid_before, p.state, COALESCE(d.since, p.claimed_at) AS since, COALESCE(p.tx, d.tx) AS tx
      """;

  private static final String SINCE =
      COLUMNS
          + """
          FROM doubt d JOIN payment p ON p.id = d.payment_id
          WHERE d.since < ? ORDER BY d.since, d.payment_id LIMIT ?
          """;

  private static final String DUE =
      COLUMNS
          + """
          FROM doubt d JOIN payment p ON p.id = d.payment_id
          WHERE d.ask_at IS NULL OR d.ask_at <= ?
          ORDER BY COALESCE(d.ask_at, d.since), d.payment_id LIMIT ?
          """;

  private static final String LATER = "UPDATE doubt SET ask_at = ? WHERE payment_id = ?";

  private static final String FIND =
      COLUMNS
          + """
          FROM payment p LEFT JOIN doubt d ON p.id = d.payment_id
          WHERE p.id = ? AND (p.state IN ('FAILED', 'RELEASED', 'IN_DOUBT') OR (p.state = 'SETTLING' AND p.sent))
          """;

  @Override
  public List<UnresolvedPayment> since(Instant before, int max) {
    return statements.onConnection(connection -> list(connection, SINCE, before, max));
  }

  @Override
  public List<UnresolvedPayment> due(Instant now, int max) {
    return statements.onConnection(connection -> list(connection, DUE, now, max));
  }

  @Override
  public void later(UnresolvedPayment payment, Instant at) {
    statements.onConnection(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(LATER)) {
            statement.setObject(1, Rows.utc(at));
            statement.setObject(2, payment.id());
            return statement.executeUpdate();
          }
        });
  }

  @Override
  public Optional<UnresolvedPayment> find(UUID payment) {
    return statements.onConnection(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(FIND)) {
            statement.setObject(1, payment);
            return read(statement).stream().findFirst();
          }
        });
  }

  @Override
  public boolean close(UnresolvedPayment payment, Settlement proof) {
    if (proof instanceof Settlement.Settled settled) {
      return close(payment, PaymentState.SETTLED, settled.transaction(), null);
    }
    if (proof instanceof Settlement.Refused refused) {
      return close(payment, PaymentState.FAILED, null, refused.reason());
    }
    throw new IllegalArgumentException("a payment is closed as settled or refused, with proof");
  }

  private boolean close(
      UnresolvedPayment payment,
      PaymentState target,
      @Nullable String transaction,
      @Nullable String reason) {
    PaymentKey key = payment.key();
    Optional<PaymentRow> read =
        statements.onConnection(
            connection -> dialect.find(connection, List.of(key)).stream().findFirst());
    return read.filter(row -> row.attempt() == payment.attempt() && row.isOpenTo(target))
        .map(row -> transitions.close(row, target, transaction, reason).await(deadline.toNanos()))
        .orElse(false);
  }

  private static List<UnresolvedPayment> list(
      Connection connection, String sql, Instant before, int max) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, Rows.utc(before));
      statement.setInt(2, max);
      return read(statement);
    }
  }

  private static List<UnresolvedPayment> read(PreparedStatement statement) throws SQLException {
    List<UnresolvedPayment> found = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        found.add(Rows.unresolved(rows));
      }
    }
    return found;
  }
}
