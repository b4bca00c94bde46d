package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.ledger.AccountKind;
import dev.octroi.payments.ledger.Channels;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.jdbc.Locks.Payer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** Channels on the ledger's writer threads. */
record JdbcChannels(Statements statements, Dialect dialect, Books books, Clock clock)
    implements Channels {

  private static final String STATE =
      """
      SELECT c.payer, c.charged, c.signed, c.signature, c.refunds, c.claimed, a.balance, r.balance AS held FROM channel c
      JOIN book_account a ON a.network = c.network AND a.owner = c.id AND a.asset = c.asset AND a.kind = 'PAYER'
      LEFT JOIN channel_reading r ON r.network = c.network AND r.id = c.id
      WHERE c.network = :network AND c.id = :id
      """;

  private static final String REFUNDED =
      "UPDATE channel SET refunds = refunds + 1 WHERE network = :network AND id = :id";

  private static final String HOLD =
      "UPDATE channel SET payment_id = :hold, used_at = :now WHERE network = :network AND id = :id";

  /** A call's payment that holds a channel has promised something. */
  private static final String FREE =
      """
      UPDATE channel SET payment_id = NULL, refunds = refunds + :refunds
      WHERE network = :network AND id = :id AND payment_id = :hold AND promised IS NULL
      """;

  private static final String HELD =
      """
      SELECT id, payment_id FROM channel
      WHERE network = :network AND payment_id IS NOT NULL AND promised IS NULL AND used_at <= :before
      """;

  private static final String OF_UNCLAIMED =
      """
      SELECT c.id, c.terms, c.charged, c.claimed, c.signed, c.signature FROM channel c
      LEFT JOIN channel_reading r ON r.network = c.network AND r.id = c.id
      WHERE c.network = :network AND c.unclaimed_since IS NOT NULL AND c.signature IS NOT NULL
      """;

  private static final String UNREAD =
      OF_UNCLAIMED
          + """
          AND (r.read_at IS NULL OR r.read_at <= :since OR r.read_at > :ahead)
          ORDER BY c.unclaimed_since, c.id LIMIT :most
          """;

  /** So long after the moment since which readings hold, one was read by a clock that was ahead. */
  private static final Duration AHEAD = Duration.ofMinutes(10);

  private static final String UNCLAIMED =
      OF_UNCLAIMED
          + """
          AND ((r.withdrawing > 0 AND (c.claim_not_before IS NULL OR c.claim_not_before <= :now))
            OR (c.unclaimed_since <= :since AND c.charged - c.claimed >= :least))
          ORDER BY CASE WHEN r.withdrawing > 0 THEN 0 ELSE 1 END, c.unclaimed_since, c.id LIMIT :most
          """;

  private static final String CLAIMED =
      """
      UPDATE channel SET claimed = :claimed,
        unclaimed_since = CASE WHEN charged > :claimed THEN CAST(:now AS TIMESTAMP WITH TIME ZONE) END
      WHERE network = :network AND id = :id
      """;

  private static final String POSTPONE =
      """
      UPDATE channel SET unclaimed_since = :now, claim_not_before = :later
      WHERE network = :network AND id = :id AND unclaimed_since IS NOT NULL
      """;

  /** Of channels that cannot be claimed, a withdrawal is looked at again so much later. */
  private static final Duration PAUSE = Duration.ofMinutes(1);

  @Override
  public Optional<ChannelState> find(String network, String id) {
    return statements.run(handle -> find(handle, network, id));
  }

  private static Optional<ChannelState> find(Handle handle, String network, String id) {
    return of(handle.createQuery(STATE), network, id)
        .map((row, context) -> state(row, network, id))
        .findOne();
  }

  private static <S extends SqlStatement<S>> S of(S statement, String network, String id) {
    return statement.bind("network", network).bind("id", KeyBytes.of(network, id));
  }

  private static ChannelState state(ResultSet row, String network, String id) throws SQLException {
    return new ChannelState(
        id,
        KeyBytes.text(network, row.getBytes("payer")),
        row.getLong("charged"),
        row.getLong("signed"),
        row.getBytes("signature"),
        Rows.number(row, "balance"),
        row.getInt("refunds"),
        row.getLong("claimed"),
        Rows.number(row, "held"));
  }

  private Optional<ChannelRows.Row> row(Connection connection, String network, String id)
      throws SQLException {
    return dialect.channels(connection, List.of(new Payer(network, id))).stream().findFirst();
  }

  @Override
  public List<UnclaimedChannel> unread(String network, Instant since, int most) {
    return statements.run(
        handle ->
            handle
                .createQuery(UNREAD)
                .bind("network", network)
                .bind("since", since)
                .bind("ahead", since.plus(AHEAD))
                .bind("most", most)
                .map((row, context) -> unclaimed(row, network))
                .list());
  }

  @Override
  public List<UnclaimedChannel> unclaimed(String network, Instant since, long least, int most) {
    return statements.run(
        handle ->
            handle
                .createQuery(UNCLAIMED)
                .bind("network", network)
                .bind("since", since)
                .bind("least", least)
                .bind("now", clock.instant())
                .bind("most", most)
                .map((row, context) -> unclaimed(row, network))
                .list());
  }

  private static UnclaimedChannel unclaimed(ResultSet row, String network) throws SQLException {
    return new UnclaimedChannel(
        KeyBytes.text(network, row.getBytes("id")),
        row.getString("terms"),
        row.getLong("charged"),
        row.getLong("claimed"),
        row.getLong("signed"),
        row.getBytes("signature"));
  }

  @Override
  public void claimed(String network, String id, long total) {
    var unused =
        statements.run(
            handle -> {
              claimed(handle, network, id, total);
              return true;
            });
  }

  private void claimed(Handle handle, String network, String id, long total) throws SQLException {
    Connection connection = handle.getConnection();
    Optional<ChannelRows.Row> known = row(connection, network, id);
    if (known.isEmpty()) {
      return;
    }
    AccountKey key = new AccountKey(network, id, known.get().payer().asset());
    Optional<Account> channel = dialect.lock(connection, key);
    ChannelRows.Row row = row(connection, network, id).orElseThrow();
    long claimed = Math.min(total, row.charged());
    if (channel.isEmpty() || claimed <= row.claimed()) {
      return;
    }
    Instant now = clock.instant();
    of(handle.createUpdate(CLAIMED), network, id)
        .bind("claimed", claimed)
        .bind("now", now)
        .execute();
    books.claim(connection, channel.get(), claimed - row.claimed(), now);
  }

  @Override
  public void postpone(String network, String id) {
    var unused =
        statements.run(
            handle -> {
              dialect.lockPayers(handle.getConnection(), List.of(new Payer(network, id)));
              Instant now = clock.instant();
              return of(handle.createUpdate(POSTPONE), network, id)
                  .bind("now", now)
                  .bind("later", now.plus(PAUSE))
                  .execute();
            });
  }

  @Override
  public ChannelRefundResult refund(String network, String id, long charged, OptionalLong amount) {
    UUID line = UUID.randomUUID();
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    return statements.run(
        (handle, again) -> {
          Connection connection = handle.getConnection();
          Optional<ChannelRows.Row> known = row(connection, network, id);
          if (known.isEmpty()) {
            return new ChannelRefundResult.Refused(ChannelUse.NOTHING_LEFT);
          }
          AccountKey payer = known.get().payer();
          AccountKey channel = new AccountKey(network, id, payer.asset());
          Map<AccountKey, Account> accounts = locked(connection, payer, channel);
          Account payee = accounts.get(payer);
          OptionalLong back =
              again && payee != null
                  ? Journal.moved(connection, line, payee, now)
                  : OptionalLong.empty();
          if (back.isEmpty()) {
            ChannelRows.Row row = row(connection, network, id).orElseThrow();
            long left = left(accounts.get(channel));
            Optional<String> refusal = refusal(row, left, charged, amount);
            if (refusal.isPresent()) {
              return new ChannelRefundResult.Refused(refusal.get());
            }
            back = OptionalLong.of(Math.min(left, amount.orElse(left)));
            books.move(connection, line, accounts, channel, payer, back.getAsLong(), now);
            of(handle.createUpdate(REFUNDED), network, id).execute();
          }
          return new ChannelRefundResult.Refunded(
              "sandbox:" + line, back.getAsLong(), find(handle, network, id).orElseThrow());
        });
  }

  private static long left(@Nullable Account channel) {
    return channel == null ? 0 : channel.balance().orElse(0);
  }

  private static Optional<String> refusal(
      ChannelRows.Row row, long left, long charged, OptionalLong amount) {
    if (row.isHeld()) {
      return Optional.of(ChannelUse.BUSY);
    }
    if (row.charged() != charged) {
      return Optional.of(ChannelUse.MISMATCH);
    }
    if (amount.isPresent() && amount.getAsLong() == 0) {
      return Optional.of(ChannelUse.NO_AMOUNT);
    }
    return left == 0 ? Optional.of(ChannelUse.NOTHING_LEFT) : Optional.empty();
  }

  @Override
  public ChannelRefundResult hold(String network, String id, long charged) {
    UUID hold = UUID.randomUUID();
    return statements.run(handle -> hold(handle, network, id, charged, hold));
  }

  private ChannelRefundResult hold(
      Handle handle, String network, String id, long charged, UUID hold) throws SQLException {
    Connection connection = handle.getConnection();
    dialect.lockPayers(connection, List.of(new Payer(network, id)));
    Optional<ChannelRows.Row> row = row(connection, network, id);
    if (row.isEmpty()) {
      return new ChannelRefundResult.Refused(ChannelUse.NOTHING_LEFT);
    }
    if (hold.equals(row.get().holder())) {
      // An earlier try may have been committed without our knowing.
      return new ChannelRefundResult.Begun(hold);
    }
    if (row.get().isHeld()) {
      return new ChannelRefundResult.Refused(ChannelUse.BUSY);
    }
    if (row.get().charged() != charged) {
      return new ChannelRefundResult.Refused(ChannelUse.MISMATCH);
    }
    of(handle.createUpdate(HOLD), network, id)
        .bind("hold", hold)
        .bind("now", clock.instant())
        .execute();
    return new ChannelRefundResult.Begun(hold);
  }

  @Override
  public boolean refunded(String network, String id, UUID hold, long amount) {
    return statements.run(
        handle -> {
          Connection connection = handle.getConnection();
          AccountKey payer = row(connection, network, id).orElseThrow().payer();
          AccountKey channel = new AccountKey(network, id, payer.asset());
          if (amount > 0) {
            // Of a payer that filled the channel itself nothing is known here yet.
            dialect.addAccounts(connection, List.of(payer), AccountKind.PAYER);
          }
          Map<AccountKey, Account> accounts = locked(connection, payer, channel);
          int freed =
              of(handle.createUpdate(FREE), network, id)
                  .bind("refunds", amount > 0 ? 1 : 0)
                  .bind("hold", hold)
                  .execute();
          if (freed == 1 && amount > 0) {
            books.move(connection, hold, accounts, channel, payer, amount, clock.instant());
          }
          return freed == 1;
        });
  }

  @Override
  public Map<String, UUID> refunding(String network, Instant before) {
    return statements.run(
        handle ->
            handle
                .createQuery(HELD)
                .bind("network", network)
                .bind("before", before)
                .map(
                    (row, context) ->
                        Map.entry(
                            KeyBytes.text(network, row.getBytes("id")),
                            row.getObject("payment_id", UUID.class)))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  private Map<AccountKey, Account> locked(
      Connection connection, AccountKey payer, AccountKey channel) throws SQLException {
    Set<Payer> owners = new TreeSet<>(Payer.LOCK_ORDER);
    owners.add(Payer.of(payer));
    owners.add(Payer.of(channel));
    return Account.byKey(dialect.lockPayers(connection, owners));
  }
}
