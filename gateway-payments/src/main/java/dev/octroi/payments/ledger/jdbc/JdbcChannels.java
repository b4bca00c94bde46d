package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.ledger.AccountKind;
import dev.octroi.payments.ledger.Channels;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.jdbc.Locks.Payer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Channels on the ledger's writer threads. */
record JdbcChannels(Statements statements, Dialect dialect, Books books, Clock clock)
    implements Channels {

  private static final String STATE =
      """
      SELECT c.payer, c.charged, c.signed, c.signature, c.refunds, c.claimed, a.balance, r.balance AS held FROM channel c
      JOIN book_account a ON a.network = c.network AND a.owner = c.id AND a.asset = c.asset AND a.kind = 'PAYER'
      LEFT JOIN channel_reading r ON r.network = c.network AND r.id = c.id
      WHERE c.network = ? AND c.id = ?
      """;

  private static final String REFUNDED =
      "UPDATE channel SET refunds = refunds + 1 WHERE network = ? AND id = ?";

  private static final String HOLD =
      "UPDATE channel SET payment_id = ?, used_at = ? WHERE network = ? AND id = ?";

  /** A call's payment that holds a channel has promised something. */
  private static final String FREE =
      """
      UPDATE channel SET payment_id = NULL, refunds = refunds + ?
      WHERE network = ? AND id = ? AND payment_id = ? AND promised IS NULL
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
          + "AND (r.read_at IS NULL OR r.read_at <= :since) ORDER BY c.unclaimed_since, c.id LIMIT :most";

  private static final String UNCLAIMED =
      OF_UNCLAIMED
          + """
          AND ((r.withdrawing > 0 AND (c.claim_not_before IS NULL OR c.claim_not_before <= :now))
            OR (c.unclaimed_since <= :since AND c.charged - c.claimed >= :least))
          ORDER BY CASE WHEN r.withdrawing > 0 THEN 0 ELSE 1 END, c.unclaimed_since, c.id LIMIT :most
          """;

  private static final String CLAIMED =
      """
      UPDATE channel SET claimed = ?, unclaimed_since = CASE WHEN charged > ? THEN CAST(? AS TIMESTAMP WITH TIME ZONE) END
      WHERE network = ? AND id = ?
      """;

  private static final String POSTPONE =
      """
      UPDATE channel SET unclaimed_since = ?, claim_not_before = ?
      WHERE network = ? AND id = ? AND unclaimed_since IS NOT NULL
      """;

  /** Of channels that cannot be claimed, a withdrawal is looked at again so much later. */
  private static final Duration PAUSE = Duration.ofMinutes(1);

  @Override
  public Optional<ChannelState> find(String network, String id) {
    return statements.onConnection(connection -> find(connection, network, id));
  }

  private static Optional<ChannelState> find(Connection connection, String network, String id)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(STATE)) {
      statement.setString(1, network);
      statement.setBytes(2, KeyBytes.of(network, id));
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(state(row, network, id)) : Optional.empty();
      }
    }
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
                .bind("since", Rows.utc(since))
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
                .bind("since", Rows.utc(since))
                .bind("least", least)
                .bind("now", Rows.utc(clock.instant()))
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
        statements.onConnection(
            connection -> {
              claimed(connection, network, id, total);
              return true;
            });
  }

  private void claimed(Connection connection, String network, String id, long total)
      throws SQLException {
    Optional<ChannelRows.Row> known = row(connection, network, id);
    if (known.isEmpty()) {
      return;
    }
    AccountKey key = new AccountKey(network, id, known.get().payer().asset());
    Account channel =
        Account.byKey(dialect.lockPayers(connection, List.of(new Payer(network, id)))).get(key);
    ChannelRows.Row row = row(connection, network, id).orElseThrow();
    long claimed = Math.min(total, row.charged());
    if (channel == null || claimed <= row.claimed()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(CLAIMED)) {
      statement.setLong(1, claimed);
      statement.setLong(2, claimed);
      statement.setObject(3, Rows.utc(clock.instant()));
      statement.setString(4, network);
      statement.setBytes(5, KeyBytes.of(network, id));
      statement.executeUpdate();
    }
    books.claim(connection, channel, claimed - row.claimed(), clock.instant());
  }

  @Override
  public void postpone(String network, String id) {
    var unused =
        statements.onConnection(
            connection -> {
              dialect.lockPayers(connection, List.of(new Payer(network, id)));
              try (PreparedStatement statement = connection.prepareStatement(POSTPONE)) {
                Instant now = clock.instant();
                statement.setObject(1, Rows.utc(now));
                statement.setObject(2, Rows.utc(now.plus(PAUSE)));
                statement.setString(3, network);
                statement.setBytes(4, KeyBytes.of(network, id));
                return statement.executeUpdate();
              }
            });
  }

  @Override
  public ChannelRefundResult refund(String network, String id, long charged, OptionalLong amount) {
    UUID line = UUID.randomUUID();
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    return statements.onConnection(
        (connection, again) -> {
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
            noteRefund(connection, network, id);
          }
          return new ChannelRefundResult.Refunded(
              "sandbox:" + line, back.getAsLong(), find(connection, network, id).orElseThrow());
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

  private static void noteRefund(Connection connection, String network, String id)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(REFUNDED)) {
      statement.setString(1, network);
      statement.setBytes(2, KeyBytes.of(network, id));
      statement.executeUpdate();
    }
  }

  @Override
  public ChannelRefundResult hold(String network, String id, long charged) {
    UUID hold = UUID.randomUUID();
    return statements.onConnection(connection -> hold(connection, network, id, charged, hold));
  }

  private ChannelRefundResult hold(
      Connection connection, String network, String id, long charged, UUID hold)
      throws SQLException {
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
    try (PreparedStatement statement = connection.prepareStatement(HOLD)) {
      statement.setObject(1, hold);
      statement.setObject(2, Rows.utc(clock.instant()));
      statement.setString(3, network);
      statement.setBytes(4, KeyBytes.of(network, id));
      statement.executeUpdate();
    }
    return new ChannelRefundResult.Begun(hold);
  }

  @Override
  public boolean refunded(String network, String id, UUID hold, long amount) {
    return statements.onConnection(
        connection -> {
          AccountKey payer = row(connection, network, id).orElseThrow().payer();
          AccountKey channel = new AccountKey(network, id, payer.asset());
          if (amount > 0) {
            // Of a payer that filled the channel itself nothing is known here yet.
            dialect.addAccounts(connection, List.of(payer), AccountKind.PAYER);
          }
          Map<AccountKey, Account> accounts = locked(connection, payer, channel);
          try (PreparedStatement statement = connection.prepareStatement(FREE)) {
            statement.setInt(1, amount > 0 ? 1 : 0);
            statement.setString(2, network);
            statement.setBytes(3, KeyBytes.of(network, id));
            statement.setObject(4, hold);
            if (statement.executeUpdate() == 0) {
              return false;
            }
          }
          if (amount > 0) {
            books.move(connection, hold, accounts, channel, payer, amount, clock.instant());
          }
          return true;
        });
  }

  @Override
  public Map<String, UUID> refunding(String network, Instant before) {
    return statements.run(
        handle ->
            handle
                .createQuery(HELD)
                .bind("network", network)
                .bind("before", Rows.utc(before))
                .reduceRows(
                    new HashMap<String, UUID>(),
                    (held, row) -> {
                      held.put(
                          KeyBytes.text(network, row.getColumn("id", byte[].class)),
                          row.getColumn("payment_id", UUID.class));
                      return held;
                    }));
  }

  private Map<AccountKey, Account> locked(
      Connection connection, AccountKey payer, AccountKey channel) throws SQLException {
    Set<Payer> owners = new TreeSet<>(Payer.LOCK_ORDER);
    owners.add(new Payer(payer.network(), payer.owner()));
    owners.add(new Payer(channel.network(), channel.owner()));
    return Account.byKey(dialect.lockPayers(connection, owners));
  }
}
