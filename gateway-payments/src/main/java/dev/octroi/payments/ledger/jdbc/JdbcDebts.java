package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.Debts;
import dev.octroi.payments.ledger.Debts.Debt;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.Refunds;
import dev.octroi.payments.ledger.Refunds.RefundResult;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What accounts owe, on the ledger's writer threads. */
record JdbcDebts(Statements statements, Dialect dialect, Books books, Refunds refunds, Clock clock)
    implements Debts {

  private static final Logger LOG = LoggerFactory.getLogger(JdbcDebts.class);

  /** Calls that one transfer pays for: as many as one transaction can mark at ease. */
  private static final int MOST_CALLS = 2_000;

  private static final int MOST_TRANSFERS = 100;

  private static final String DUE =
      """
      SELECT network, payer, asset, pay_to FROM owed WHERE netting_id IS NULL
      GROUP BY network, payer, asset, pay_to
      HAVING SUM(amount) >= :threshold OR MIN(since) < :before
      ORDER BY MIN(since), payer, asset, pay_to LIMIT :most OFFSET :skipped
      """;

  private static final String CALLS =
      """
      SELECT payment_id, key_id, amount FROM owed
      WHERE netting_id IS NULL AND network = :network AND payer = :payer AND asset = :asset
        AND pay_to = :payTo
      ORDER BY since, payment_id LIMIT :most
      """;

  private static final String BEGIN =
      "INSERT INTO netting (id, amount, calls, begun_at) VALUES (:id, :amount, :calls, :now)";

  private static final String ASSIGN =
      """
      UPDATE owed SET netting_id = :id
      WHERE payment_id IN (<payments>) AND netting_id IS NULL
      """;

  private static final String ENDED =
      """
      SELECT n.id, n.amount, p.network, p.payer, p.asset, p.pay_to, p.state
      FROM netting n JOIN payment p ON p.id = n.id
      WHERE n.paid IS NULL AND p.state IN ('SETTLED', 'FAILED', 'RELEASED') ORDER BY n.begun_at LIMIT :most
      """;

  private static final String CLOSE =
      "UPDATE netting SET paid = :paid, closed_at = :now WHERE id = :id AND paid IS NULL";

  private static final String LATE =
      """
      SELECT n.id FROM netting n JOIN payment p ON p.id = n.id
      WHERE n.paid = FALSE AND p.state = 'SETTLED' AND COALESCE(p.charged, p.amount) >
        (SELECT COALESCE(SUM(r.amount), 0) FROM refund r WHERE r.payment_id = n.id)
      ORDER BY n.begun_at LIMIT :most
      """;

  private static final String FORGET = "DELETE FROM owed WHERE netting_id = :id";

  private static final String OWE_AGAIN =
      "UPDATE owed SET netting_id = NULL WHERE netting_id = :id";

  /** A transfer that has ended. */
  private record Ended(UUID id, long amount, AccountKey payer, String payTo, boolean paid) {}

  private record Call(UUID payment, UUID key, long amount) {}

  @Override
  public List<Debt> due(long threshold, Instant before, int skipped, int most) {
    return statements.run(
        handle -> {
          List<Debt> due = new ArrayList<>();
          for (Debt group : groups(handle, threshold, before, skipped, most)) {
            List<Call> calls = calls(handle, group);
            // Another node may have assigned them since.
            if (!calls.isEmpty()) {
              due.add(whole(group, calls));
            }
          }
          return due;
        });
  }

  private static List<Debt> groups(
      Handle handle, long threshold, Instant before, int skipped, int most) {
    return handle
        .createQuery(DUE)
        .bind("threshold", threshold)
        .bind("before", before)
        .bind("skipped", skipped)
        .bind("most", most)
        .map((row, context) -> group(row))
        .list();
  }

  private static Debt group(ResultSet row) throws SQLException {
    return new Debt(
        new UUID(0, 0),
        row.getString("network"),
        KeyBytes.text(row, "payer"),
        row.getString("asset"),
        row.getString("pay_to"),
        0,
        List.of());
  }

  private static List<Call> calls(Handle handle, Debt group) {
    return handle
        .createQuery(CALLS)
        .bind("network", group.network())
        .bind("payer", KeyBytes.of(group.network(), group.payer()))
        .bind("asset", group.asset())
        .bind("payTo", group.payTo())
        .bind("most", MOST_CALLS)
        .map(
            (row, context) ->
                new Call(
                    row.getObject("payment_id", UUID.class),
                    row.getObject("key_id", UUID.class),
                    row.getLong("amount")))
        .list();
  }

  private static Debt whole(Debt group, List<Call> calls) {
    return new Debt(
        calls.get(0).key(),
        group.network(),
        group.payer(),
        group.asset(),
        group.payTo(),
        calls.stream().mapToLong(Call::amount).reduce(0, Math::addExact),
        calls.stream().map(Call::payment).toList());
  }

  @Override
  public boolean assign(Debt debt, Claim transfer) {
    AccountKey payer = new AccountKey(debt.network(), debt.payer(), debt.asset());
    return statements.run(
        handle -> {
          lock(handle.getConnection(), payer);
          if (isAssigned(handle, transfer)) {
            return true;
          }
          handle.execute("SAVEPOINT before_assigning");
          int marked =
              handle
                  .createUpdate(ASSIGN)
                  .bind("id", transfer.id())
                  .bindList("payments", debt.payments())
                  .execute();
          if (marked != debt.payments().size()) {
            handle.execute("ROLLBACK TO SAVEPOINT before_assigning");
            return false;
          }
          begin(handle, debt, transfer);
          books.takeOver(handle.getConnection(), payer, debt.amount(), clock.instant());
          return true;
        });
  }

  /** An earlier try of this work may have been committed without our knowing. */
  private static boolean isAssigned(Handle handle, Claim transfer) {
    return handle
            .createQuery("SELECT count(*) FROM netting WHERE id = :id")
            .bind("id", transfer.id())
            .mapTo(Integer.class)
            .one()
        > 0;
  }

  private void begin(Handle handle, Debt debt, Claim transfer) {
    handle
        .createUpdate(BEGIN)
        .bind("id", transfer.id())
        .bind("amount", debt.amount())
        .bind("calls", debt.payments().size())
        .bind("now", clock.instant())
        .execute();
  }

  @Override
  public int close() {
    List<Ended> ended =
        statements.run(
            handle ->
                handle
                    .createQuery(ENDED)
                    .bind("most", MOST_TRANSFERS)
                    .map((row, context) -> ended(row))
                    .list());
    for (Ended transfer : ended) {
      statements.run(handle -> close(handle, transfer));
    }
    giveBackLate();
    return ended.size();
  }

  /** Its calls are paid for by another transfer, or will be: the account must not pay twice. */
  private void giveBackLate() {
    List<UUID> late =
        statements.run(
            handle ->
                handle.createQuery(LATE).bind("most", MOST_TRANSFERS).mapTo(UUID.class).list());
    for (UUID transfer : late) {
      RefundResult result =
          refunds.ask(
              transfer,
              OptionalLong.empty(),
              "the transfer settled after its calls were owed again",
              "late-transfer");
      LOG.warn("The transfer {} settled after its calls were owed again: {}", transfer, result);
    }
  }

  private boolean close(Handle handle, Ended transfer) throws SQLException {
    Connection connection = handle.getConnection();
    lock(connection, transfer.payer());
    Instant now = clock.instant();
    int changed =
        handle
            .createUpdate(CLOSE)
            .bind("paid", transfer.paid())
            .bind("now", now)
            .bind("id", transfer.id())
            .execute();
    if (changed == 0) {
      return false;
    }
    handle.createUpdate(transfer.paid() ? FORGET : OWE_AGAIN).bind("id", transfer.id()).execute();
    if (transfer.paid()) {
      books.net(
          connection, transfer.id(), transfer.payer(), transfer.payTo(), transfer.amount(), now);
    } else {
      books.takeOver(connection, transfer.payer(), -transfer.amount(), now);
    }
    return true;
  }

  private static Ended ended(ResultSet row) throws SQLException {
    return new Ended(
        row.getObject("id", UUID.class),
        row.getLong("amount"),
        Rows.account(row, "payer"),
        row.getString("pay_to"),
        PaymentState.valueOf(row.getString("state")) == PaymentState.SETTLED);
  }

  private void lock(Connection connection, AccountKey key) throws SQLException {
    if (dialect.lock(connection, key).isEmpty()) {
      throw new SQLException("a payer who owes has no account");
    }
  }
}
