package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.ledger.Channels;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.jdbc.Locks.Payer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** Channels on the ledger's writer threads. */
final class JdbcChannels implements Channels {

  private static final String STATE =
      """
      SELECT c.payer, c.charged, c.signed, c.signature, c.refunds, a.balance FROM channel c
      JOIN book_account a ON a.network = c.network AND a.owner = c.id AND a.asset = c.asset AND a.kind = 'PAYER'
      WHERE c.network = ? AND c.id = ?
      """;

  private static final String REFUNDED =
      "UPDATE channel SET refunds = refunds + 1 WHERE network = ? AND id = ?";

  private final Statements statements;
  private final Dialect dialect;
  private final Books books;
  private final Clock clock;

  JdbcChannels(Statements statements, Dialect dialect, Books books, Clock clock) {
    this.statements = statements;
    this.dialect = dialect;
    this.books = books;
    this.clock = clock;
  }

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
    long left = row.getLong("balance");
    OptionalLong held = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(left);
    return new ChannelState(
        id,
        KeyBytes.text(network, row.getBytes("payer")),
        row.getLong("charged"),
        row.getLong("signed"),
        row.getBytes("signature"),
        held,
        row.getInt("refunds"));
  }

  @Override
  public ChannelRefundResult refund(String network, String id, long charged, OptionalLong amount) {
    return statements.onConnection(connection -> refund(connection, network, id, charged, amount));
  }

  private ChannelRefundResult refund(
      Connection connection, String network, String id, long charged, OptionalLong amount)
      throws SQLException {
    Optional<ChannelRows.Row> known = ChannelRows.find(connection, network, id);
    if (known.isEmpty()) {
      return new ChannelRefundResult.Refused(ChannelUse.NOTHING_LEFT);
    }
    AccountKey payer = known.get().payer();
    AccountKey channel = new AccountKey(network, id, payer.asset());
    Map<AccountKey, Account> accounts = locked(connection, payer, channel);
    ChannelRows.Row row = ChannelRows.find(connection, network, id).orElseThrow();
    Account account = accounts.get(channel);
    if (row.isHeld()) {
      return new ChannelRefundResult.Refused(ChannelUse.BUSY);
    }
    if (row.charged() != charged) {
      return new ChannelRefundResult.Refused(ChannelUse.MISMATCH);
    }
    if (amount.isPresent() && amount.getAsLong() == 0) {
      return new ChannelRefundResult.Refused(ChannelUse.NO_AMOUNT);
    }
    long left = account == null ? 0 : account.balance().orElse(0);
    if (left == 0) {
      return new ChannelRefundResult.Refused(ChannelUse.NOTHING_LEFT);
    }
    long back = Math.min(left, amount.orElse(left));
    UUID line = UUID.randomUUID();
    books.move(connection, line, accounts, channel, payer, back, clock.instant());
    try (PreparedStatement statement = connection.prepareStatement(REFUNDED)) {
      statement.setString(1, network);
      statement.setBytes(2, KeyBytes.of(network, id));
      statement.executeUpdate();
    }
    return new ChannelRefundResult.Refunded(
        "sandbox:" + line, back, find(connection, network, id).orElseThrow());
  }

  private Map<AccountKey, Account> locked(
      Connection connection, AccountKey payer, AccountKey channel) throws SQLException {
    Set<Payer> owners = new TreeSet<>(Payer.LOCK_ORDER);
    owners.add(new Payer(payer.network(), payer.owner()));
    owners.add(new Payer(channel.network(), channel.owner()));
    return Account.byKey(dialect.lockPayers(connection, owners));
  }
}
