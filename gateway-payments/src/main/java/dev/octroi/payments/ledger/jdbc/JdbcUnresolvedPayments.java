package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.ledger.PaymentState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.statement.Query;
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
          WHERE d.since < :moment ORDER BY d.since, d.payment_id LIMIT :most
          """;

  private static final String DUE =
      COLUMNS
          + """
          FROM doubt d JOIN payment p ON p.id = d.payment_id
          WHERE d.ask_at IS NULL OR d.ask_at <= :moment
          ORDER BY COALESCE(d.ask_at, d.since), d.payment_id LIMIT :most
          """;

  private static final String LATER = "UPDATE doubt SET ask_at = :at WHERE payment_id = :payment";

  private static final String FIND =
      COLUMNS
          + """
          FROM payment p LEFT JOIN doubt d ON p.id = d.payment_id
          WHERE p.id = :payment AND (p.state IN ('FAILED', 'RELEASED', 'IN_DOUBT') OR (p.state = 'SETTLING' AND p.sent))
          """;

  @Override
  public List<UnresolvedPayment> since(Instant before, int max) {
    return list(SINCE, before, max);
  }

  @Override
  public List<UnresolvedPayment> due(Instant now, int max) {
    return list(DUE, now, max);
  }

  private List<UnresolvedPayment> list(String sql, Instant moment, int max) {
    return statements.run(
        handle -> list(handle.createQuery(sql).bind("moment", moment).bind("most", max)));
  }

  private static List<UnresolvedPayment> list(Query query) {
    return query.map((row, context) -> Rows.unresolved(row)).list();
  }

  @Override
  public void later(UnresolvedPayment payment, Instant at) {
    statements.run(
        handle ->
            handle.createUpdate(LATER).bind("at", at).bind("payment", payment.id()).execute());
  }

  @Override
  public Optional<UnresolvedPayment> find(UUID payment) {
    return statements.run(
        handle -> list(handle.createQuery(FIND).bind("payment", payment)).stream().findFirst());
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
        statements.run(
            handle -> dialect.find(handle.getConnection(), List.of(key)).stream().findFirst());
    return read.filter(row -> row.attempt() == payment.attempt() && row.isOpenTo(target))
        .map(row -> transitions.close(row, target, transaction, reason).await(deadline.toNanos()))
        .orElse(false);
  }
}
