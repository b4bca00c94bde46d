package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.DeferredSettlements;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Keeps settlements of answers that have left, on the ledger's writer threads. */
record JdbcDeferredSettlements(Statements statements, Clock clock) implements DeferredSettlements {

  private static final String FORGET_ONE =
      "DELETE FROM deferred_settlement WHERE payment_id = :payment";

  private static final String KEEP =
      """
      INSERT INTO deferred_settlement (payment_id, attempt, settlement, ask_at)
      VALUES (:payment, :attempt, :settlement, :at)
      """;

  private static final String DUE =
      """
      SELECT d.payment_id, d.attempt, d.settlement
      FROM deferred_settlement d JOIN payment p ON p.id = d.payment_id AND p.attempt = d.attempt
      WHERE d.ask_at <= :now AND d.settlement <> '' AND p.state IN ('SETTLING', 'IN_DOUBT') ORDER BY d.ask_at LIMIT :most
      """;

  private static final String LATER =
      "UPDATE deferred_settlement SET ask_at = :at WHERE payment_id = :payment AND attempt = :attempt";

  private static final String FORGET =
      """
      DELETE FROM deferred_settlement WHERE NOT EXISTS (
        SELECT 1 FROM payment p
        WHERE p.id = deferred_settlement.payment_id AND p.attempt = deferred_settlement.attempt
          AND (p.state IN ('CLAIMED', 'SETTLING', 'IN_DOUBT')
            OR (p.state = 'FAILED' AND deferred_settlement.settlement <> '' AND p.claimed_at > :since)))
      """;

  private static final String OWED =
      """
      SELECT COALESCE(SUM(COALESCE(p.charged, p.amount)), 0)
      FROM deferred_settlement d JOIN payment p ON p.id = d.payment_id AND p.attempt = d.attempt
      WHERE p.state IN ('CLAIMED', 'SETTLING', 'IN_DOUBT')
        OR (p.state = 'FAILED' AND d.settlement <> '' AND p.claimed_at > :since)
      """;

  private static final Duration LOSS_COUNTS = Duration.ofDays(1);

  @Override
  public void leaving(Claim claim) {
    keep(claim, "", clock.instant());
  }

  @Override
  public void keep(Claim claim, String order, Instant askAt) {
    var unused =
        statements.run(
            handle -> {
              handle.createUpdate(FORGET_ONE).bind("payment", claim.id()).execute();
              return handle
                  .createUpdate(KEEP)
                  .bind("payment", claim.id())
                  .bind("attempt", claim.attempt())
                  .bind("settlement", order)
                  .bind("at", askAt)
                  .execute();
            });
  }

  @Override
  public List<DeferredSettlement> due(Instant now, int most) {
    return statements.run(
        handle ->
            handle
                .createQuery(DUE)
                .bind("now", now)
                .bind("most", most)
                .map(
                    (row, context) ->
                        new DeferredSettlement(
                            row.getObject("payment_id", UUID.class),
                            row.getInt("attempt"),
                            row.getString("settlement")))
                .list());
  }

  @Override
  public void later(DeferredSettlement settlement, Instant at) {
    var unused =
        statements.run(
            handle ->
                handle
                    .createUpdate(LATER)
                    .bind("at", at)
                    .bind("payment", settlement.payment())
                    .bind("attempt", settlement.attempt())
                    .execute());
  }

  @Override
  public int forget() {
    return statements.run(handle -> handle.createUpdate(FORGET).bind("since", since()).execute());
  }

  @Override
  public long owed() {
    return statements.run(
        handle -> handle.createQuery(OWED).bind("since", since()).mapTo(Long.class).one());
  }

  private Instant since() {
    return clock.instant().minus(LOSS_COUNTS);
  }
}
