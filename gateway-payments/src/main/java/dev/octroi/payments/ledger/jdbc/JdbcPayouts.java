package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.Payouts;
import dev.octroi.payments.ledger.Payouts.Payout;
import dev.octroi.payments.ledger.Refund;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Refunds out of a treasury, on the ledger's writer threads; every move names what it moves. */
record JdbcPayouts(Statements statements, JdbcRefunds refunds) implements Payouts {

  private static final String OWED =
      JdbcRefunds.COLUMNS
          + """
          WHERE r.state = 'OWED' AND p.network = :network AND LOWER(p.asset) IN (<assets>)
            AND (r.due_at IS NULL OR r.due_at <= :now)
          ORDER BY COALESCE(r.due_at, r.asked_at), r.id LIMIT :most
          """;

  private static final String UNDER_WAY =
      JdbcRefunds.COLUMNS
          + """
          WHERE r.state = 'SENDING' AND p.network = :network ORDER BY r.valid_before, r.id LIMIT :most
          """;

  private static final String BEGIN =
      """
      UPDATE refund SET state = 'SENDING', attempt = attempt + 1, treasury = :treasury, nonce = :nonce,
        valid_before = :until, tx = NULL, note = NULL, due_at = :due
      WHERE id = :id AND state = 'OWED'
      """;

  private static final String POSTPONE =
      "UPDATE refund SET note = :note, due_at = :due WHERE id = :id AND state = 'OWED'";

  private static final String LOOK =
      """
      UPDATE refund SET tx = COALESCE(:tx, tx), note = :note, due_at = :due
      WHERE id = :id AND state = 'SENDING' AND attempt = :attempt
      """;

  private static final String FAIL =
      """
      UPDATE refund SET state = 'OWED', treasury = NULL, nonce = NULL, valid_before = NULL, tx = NULL,
        note = :note, due_at = :due
      WHERE id = :id AND state = 'SENDING' AND attempt = :attempt
      """;

  @Override
  public List<Refund> owed(String network, List<String> assets, Instant now, int most) {
    return statements.run(
        handle ->
            JdbcRefunds.list(
                handle
                    .createQuery(OWED)
                    .bind("network", network)
                    .bindList(
                        "assets",
                        assets.stream().map(each -> each.toLowerCase(Locale.ROOT)).toList())
                    .bind("now", now)
                    .bind("most", most)));
  }

  @Override
  public List<Payout> underWay(String network, int most) {
    return statements.run(
        handle -> list(handle.createQuery(UNDER_WAY).bind("network", network).bind("most", most)));
  }

  @Override
  public Optional<Payout> begin(UUID refund, PaymentKey key, Instant validBefore, Instant due) {
    return statements.run(
        handle -> {
          int changed =
              handle
                  .createUpdate(BEGIN)
                  .bind("treasury", key.payer())
                  .bind("nonce", KeyBytes.of(key.network(), key.nonce()))
                  .bind("until", validBefore)
                  .bind("due", due)
                  .bind("id", refund)
                  .execute();
          return changed == 0
              ? Optional.empty()
              : list(handle.createQuery(JdbcRefunds.BY_ID).bind("id", refund)).stream().findFirst();
        });
  }

  @Override
  public void postpone(UUID refund, String note, Instant due) {
    statements.run(
        handle ->
            handle
                .createUpdate(POSTPONE)
                .bind("note", note)
                .bind("due", due)
                .bind("id", refund)
                .execute());
  }

  @Override
  public void look(
      Payout payout, @Nullable String transaction, @Nullable String note, Instant due) {
    statements.run(
        handle ->
            handle
                .createUpdate(LOOK)
                .bind("tx", transaction)
                .bind("note", note)
                .bind("due", due)
                .bind("id", payout.refund().id())
                .bind("attempt", payout.attempt())
                .execute());
  }

  @Override
  public boolean settled(Payout payout, String transaction) {
    return refunds.proven(payout.refund().id(), transaction);
  }

  @Override
  public boolean failed(Payout payout, String note, Instant due) {
    return statements.run(
        handle ->
            handle
                    .createUpdate(FAIL)
                    .bind("note", note)
                    .bind("due", due)
                    .bind("id", payout.refund().id())
                    .bind("attempt", payout.attempt())
                    .execute()
                == 1);
  }

  private static List<Payout> list(Query query) {
    return query.map((row, context) -> payout(row)).list();
  }

  private static Payout payout(ResultSet row) throws SQLException {
    Refund refund = JdbcRefunds.refund(row);
    return new Payout(
        refund,
        row.getInt("attempt"),
        Payout.key(refund.id(), refund.network(), row.getString("treasury"), row.getBytes("nonce")),
        NamedStatements.instant(row, "valid_before").orElseThrow(),
        NamedStatements.instant(row, "due_at").orElseThrow());
  }
}
