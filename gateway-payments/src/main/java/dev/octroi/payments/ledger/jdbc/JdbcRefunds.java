package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ControlCharacters;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.Payouts;
import dev.octroi.payments.ledger.Refund;
import dev.octroi.payments.ledger.Refunds;
import dev.octroi.payments.ledger.Refunds.RefundResult;
import dev.octroi.payments.ledger.jdbc.Outbox.OutboxEvent;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Refund rows on the ledger's writer threads. The lock of the payer's account makes the sum of a
 * payment's refunds hold across nodes.
 */
record JdbcRefunds(
    Statements statements,
    LedgerReads lists,
    Dialect dialect,
    Books books,
    Outbox outbox,
    Clock clock)
    implements Refunds {

  /** On a chain a channel has no address: what its call paid goes back to its payer's. */
  static final String COLUMNS =
      """
      SELECT r.*, p.network, COALESCE(c.payer, p.payer) AS payer, p.asset, p.pay_to FROM refund r
      JOIN payment p ON p.id = r.payment_id
      LEFT JOIN channel c ON c.network = p.network AND c.id = p.payer AND p.tx NOT LIKE 'sandbox:%'
      """;

  static final String BY_ID = COLUMNS + "WHERE r.id = :id";

  private static final String PAYMENT =
      """
      SELECT network, payer, asset, pay_to, state, COALESCE(charged, amount) AS charged, key_id, scope,
        claimed_at
      FROM payment WHERE id = :id
      """;

  /** One that settled after its calls were owed again has paid for none of them. */
  private static final String NETTED =
      "SELECT COUNT(*) FROM netting WHERE id = :payment AND (paid IS NULL OR paid)";

  private static final String GIVEN =
      "SELECT COALESCE(SUM(amount), 0) FROM refund WHERE payment_id = :payment";

  private static final String NOTE =
      """
      INSERT INTO refund (id, payment_id, request_key, amount, state, reason, asked_at)
      VALUES (:id, :payment, :key, :amount, 'OWED', :reason, :now)
      """;

  private static final String PAID =
      """
      UPDATE refund SET state = 'PAID', tx = :tx, stated_tx = :stated, note = NULL, closed_at = :now
      WHERE id = :id AND state IN ('OWED', :from)
      """;

  private static final String PAYS_ANOTHER =
      "SELECT COUNT(*) FROM refund WHERE LOWER(tx) = LOWER(:tx) AND id <> :id";

  private static final int MAX_REASON = 200;
  private static final int MAX_KEY = 64;

  /** What a refund needs to know of its payment. */
  private record Sale(
      AccountKey payer,
      String seller,
      PaymentState state,
      long charged,
      Optional<UUID> key,
      String scope,
      Instant claimedAt) {}

  @Override
  public RefundResult ask(UUID payment, OptionalLong amount, String reason, String requestKey) {
    require(!reason.isBlank() && reason.length() <= MAX_REASON, "a reason has 1 to 200 characters");
    require(
        !requestKey.isBlank() && requestKey.length() <= MAX_KEY,
        "a request key has 1 to 64 characters");
    require(
        !ControlCharacters.areInLines(reason) && !ControlCharacters.areIn(requestKey),
        "a reason and a request key have no control characters");
    require(amount.orElse(1) > 0, "a refund is more than nothing");
    return statements.run(handle -> ask(handle, payment, amount, reason, requestKey));
  }

  private RefundResult ask(
      Handle handle, UUID payment, OptionalLong asked, String reason, String requestKey)
      throws SQLException {
    Optional<Sale> found = sale(handle, payment);
    if (found.isEmpty()) {
      return new RefundResult.Unknown();
    }
    Sale sale = found.get();
    if (sale.state() != PaymentState.SETTLED) {
      return new RefundResult.NotSettled();
    }
    Account payer = lock(handle.getConnection(), sale.payer());
    Optional<Refund> before = noted(handle, payment, requestKey);
    if (before.isPresent()) {
      Refund refund = before.get();
      return asked.orElse(refund.amount()) == refund.amount()
          ? new RefundResult.Noted(refund)
          : new RefundResult.OtherAmount(refund);
    }
    if (number(handle, NETTED, payment) > 0) {
      return new RefundResult.PaysForCalls();
    }
    long rest = sale.charged() - number(handle, GIVEN, payment);
    long amount = asked.orElse(rest);
    if (amount <= 0 || amount > rest) {
      return new RefundResult.TooMuch(rest);
    }
    UUID id = UUID.randomUUID();
    note(handle, id, payment, amount, reason, requestKey);
    if (sale.key().isPresent()) {
      KeyBooks.giveBack(
          handle.getConnection(), sale.key().get(), sale.claimedAt(), sale.scope(), amount);
    }
    if (payer.balance().isPresent()) {
      pay(handle, id, "sandbox-refund:" + id, null, Refund.State.OWED);
    }
    return new RefundResult.Noted(find(handle, id).orElseThrow());
  }

  private void note(
      Handle handle, UUID id, UUID payment, long amount, String reason, String requestKey) {
    handle
        .createUpdate(NOTE)
        .bind("id", id)
        .bind("payment", payment)
        .bind("key", requestKey)
        .bind("amount", amount)
        .bind("reason", reason)
        .bind("now", clock.instant())
        .execute();
  }

  @Override
  public boolean paid(UUID refund, String transaction) {
    String stated = PaymentKey.spelling(transaction);
    return statements.run(
        handle ->
            !paysAnother(handle, refund, stated)
                && pay(handle, refund, stated, stated, Refund.State.OWED));
  }

  /** The chain has paid it, from whatever state. */
  boolean proven(UUID refund, String transaction) {
    return statements.run(handle -> pay(handle, refund, transaction, null, Refund.State.SENDING));
  }

  /** Where one is stated for two refunds in the same moment, the database takes it for one. */
  private static boolean paysAnother(Handle handle, UUID id, String transaction) {
    return handle
            .createQuery(PAYS_ANOTHER)
            .bind("tx", transaction)
            .bind("id", id)
            .mapTo(Long.class)
            .one()
        > 0;
  }

  @Override
  public Payouts payouts() {
    return new JdbcPayouts(statements, this);
  }

  /** OWED, or also another state → PAID, booked under the lock of the payer's account. */
  private boolean pay(
      Handle handle, UUID id, String transaction, @Nullable String stated, Refund.State alsoFrom)
      throws SQLException {
    Optional<Refund> found = find(handle, id);
    if (found.isEmpty()) {
      return false;
    }
    Refund refund = found.get();
    Sale sale = sale(handle, refund.payment()).orElseThrow();
    Account payer = lock(handle.getConnection(), sale.payer());
    Instant now = clock.instant();
    int changed =
        handle
            .createUpdate(PAID)
            .bind("tx", transaction)
            .bind("stated", stated)
            .bind("now", now)
            .bind("id", id)
            .bind("from", alsoFrom)
            .execute();
    if (changed == 1) {
      books.refund(
          handle.getConnection(), refund.payment(), payer, sale.seller(), refund.amount(), now);
      outbox.write(handle, new OutboxEvent(Outbox.REFUNDED, id.toString(), id, now, null));
    }
    return changed == 1;
  }

  @Override
  public List<Refund> open(int most) {
    return lists.read(
        handle ->
            list(
                handle
                    .createQuery(
                        COLUMNS
                            + "WHERE r.state IN ('OWED', 'SENDING') ORDER BY r.asked_at, r.id LIMIT :most")
                    .bind("most", Math.min(most, MAX_PAGE))));
  }

  @Override
  public List<Refund> of(UUID payment) {
    return lists.read(
        handle ->
            list(
                handle
                    .createQuery(
                        COLUMNS + "WHERE r.payment_id = :payment ORDER BY r.asked_at, r.id")
                    .bind("payment", payment)));
  }

  @Override
  public Optional<Refund> find(UUID refund) {
    return statements.run(handle -> find(handle, refund));
  }

  private static Optional<Refund> find(Handle handle, UUID refund) {
    return list(handle.createQuery(BY_ID).bind("id", refund)).stream().findFirst();
  }

  private static Optional<Refund> noted(Handle handle, UUID payment, String requestKey) {
    return list(
            handle
                .createQuery(COLUMNS + "WHERE r.payment_id = :payment AND r.request_key = :key")
                .bind("payment", payment)
                .bind("key", requestKey))
        .stream()
        .findFirst();
  }

  private static long number(Handle handle, String sql, UUID payment) {
    return handle.createQuery(sql).bind("payment", payment).mapTo(Long.class).one();
  }

  private static Optional<Sale> sale(Handle handle, UUID payment) {
    return handle
        .createQuery(PAYMENT)
        .bind("id", payment)
        .map((row, context) -> sale(row))
        .findOne();
  }

  private static Sale sale(ResultSet row) throws SQLException {
    return new Sale(
        Rows.account(row, "payer"),
        row.getString("pay_to"),
        PaymentState.valueOf(row.getString("state")),
        row.getLong("charged"),
        Optional.ofNullable(row.getObject("key_id", UUID.class)),
        Objects.requireNonNullElse(row.getString("scope"), ""),
        NamedStatements.instant(row, "claimed_at").orElseThrow());
  }

  static List<Refund> list(Query query) {
    return query.map((row, context) -> refund(row)).list();
  }

  static Refund refund(ResultSet row) throws SQLException {
    return new Refund(
        row.getObject("id", UUID.class),
        row.getObject("payment_id", UUID.class),
        row.getString("network"),
        KeyBytes.text(row, "payer"),
        row.getString("asset"),
        row.getString("pay_to"),
        row.getLong("amount"),
        Refund.State.valueOf(row.getString("state")),
        row.getString("reason"),
        row.getString("tx"),
        row.getString("note"),
        NamedStatements.instant(row, "asked_at").orElseThrow());
  }

  private Account lock(Connection connection, AccountKey key) throws SQLException {
    return dialect
        .lock(connection, key)
        .orElseThrow(() -> new SQLException("a settled payment's payer has no account"));
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }
}
