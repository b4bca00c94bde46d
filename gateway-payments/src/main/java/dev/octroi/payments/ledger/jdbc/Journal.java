package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.AccountKind;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.jdbc.Transition.AppliedTransition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The double-entry journal: one line a movement, never changed, so that no seller's balance is a
 * hot row.
 */
final class Journal {

  private static final String ACCOUNT_ID =
      "SELECT id FROM book_account WHERE network = ? AND owner = ? AND asset = ? AND kind = ?";

  private static final String ADD_LOSS = "UPDATE book_account SET lost = lost + ? WHERE id = ?";

  /** Treasury and losses have no address; they stand under one that no key can sign for. */
  private static final String NO_ADDRESS = "0x00";

  private final Dialect dialect;

  /** Sellers and treasuries: as many as the configuration names. */
  private final Map<Ours, Long> ours = new ConcurrentHashMap<>();

  private record Ours(AccountKind kind, AccountKey key) {}

  /**
   * A movement.
   *
   * @param payment which it belongs to; null for money that is given out
   * @param debit id of the account that it leaves
   * @param credit id of the account at which it arrives
   * @param amount atomic units
   */
  record Line(@Nullable UUID payment, long debit, long credit, long amount) {}

  Journal(Dialect dialect) {
    this.dialect = dialect;
  }

  /**
   * Writes a line for each payment that was settled: debit the payer, credit the seller.
   *
   * @param payers the locked accounts of the payers
   */
  void settle(
      Connection connection,
      Collection<AppliedTransition> settled,
      Map<AccountKey, Account> payers,
      Instant now)
      throws SQLException {
    List<Line> lines = new ArrayList<>();
    for (AppliedTransition payment : settled) {
      AccountKey key = payment.payer();
      AccountKey seller = new AccountKey(key.network(), payment.payTo(), key.asset());
      long credit = our(connection, seller, AccountKind.SELLER);
      lines.add(new Line(payment.id(), payer(payment, payers), credit, payment.charged()));
    }
    if (!lines.isEmpty()) {
      dialect.addLines(connection, lines, now);
    }
  }

  /** A line for each payment that was settled on account: debit the debt, credit the seller. */
  void owe(Connection connection, Collection<AppliedTransition> owed, Instant now)
      throws SQLException {
    for (AppliedTransition payment : owed) {
      AccountKey key = payment.payer();
      AccountKey seller = new AccountKey(key.network(), payment.payTo(), key.asset());
      write(
          connection,
          payment.id(),
          debt(connection, key),
          our(connection, seller, AccountKind.SELLER),
          payment.charged(),
          now);
    }
  }

  /**
   * A transfer that paid for what was owed: debit the seller, credit the debt. The transfer's own
   * line has credited the seller, who was credited before, call by call.
   */
  void net(
      Connection connection,
      UUID transfer,
      AccountKey payer,
      String payTo,
      long amount,
      Instant now)
      throws SQLException {
    AccountKey seller = new AccountKey(payer.network(), payTo, payer.asset());
    write(
        connection,
        transfer,
        our(connection, seller, AccountKind.SELLER),
        debt(connection, payer),
        amount,
        now);
  }

  /** What was claimed out of a channel: debit the channel, credit its debt. */
  void claim(Connection connection, Account channel, long amount, Instant now) throws SQLException {
    write(connection, null, channel.id(), debt(connection, channel.key()), amount, now);
  }

  /**
   * A payment that was sent and failed: debit the losses, credit the payer, who had an answer for
   * it. The seller's account is left alone, so that it stays what a chain says of it.
   */
  void lose(
      Connection connection,
      AppliedTransition payment,
      Map<AccountKey, Account> payers,
      Instant now)
      throws SQLException {
    write(
        connection,
        payment.id(),
        losses(connection, payment),
        payer(payment, payers),
        payment.charged(),
        now);
    addLoss(connection, payer(payment, payers), payment.charged());
  }

  /** A loss that turns out to have been paid after all. */
  void regain(
      Connection connection,
      AppliedTransition payment,
      Map<AccountKey, Account> payers,
      Instant now)
      throws SQLException {
    write(
        connection,
        payment.id(),
        payer(payment, payers),
        losses(connection, payment),
        payment.charged(),
        now);
    addLoss(connection, payer(payment, payers), -payment.charged());
  }

  private static void addLoss(Connection connection, long payer, long amount) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ADD_LOSS)) {
      statement.setLong(1, amount);
      statement.setLong(2, payer);
      statement.executeUpdate();
    }
  }

  /** Sandbox money that is given out: debit the treasury, credit the payer. */
  void fund(Connection connection, Account payer, long amount, Instant now) throws SQLException {
    AccountKey treasury = new AccountKey(payer.key().network(), NO_ADDRESS, payer.key().asset());
    long debit = our(connection, treasury, AccountKind.TREASURY);
    write(connection, null, debit, payer.id(), amount, now);
  }

  /** What a payer puts into a channel, or has back out of it: debit one, credit the other. */
  void move(
      Connection connection,
      UUID payment,
      Map<AccountKey, Account> accounts,
      AccountKey from,
      AccountKey to,
      long amount,
      Instant now)
      throws SQLException {
    Account debit = accounts.get(from);
    Account credit = accounts.get(to);
    if (debit == null || credit == null) {
      throw new SQLException("a channel or its payer has no account");
    }
    write(connection, payment, debit.id(), credit.id(), amount, now);
  }

  /** What goes back: debit the seller, credit the payer. */
  void refund(
      Connection connection, UUID payment, Account payer, String seller, long amount, Instant now)
      throws SQLException {
    AccountKey key = new AccountKey(payer.key().network(), seller, payer.key().asset());
    write(connection, payment, our(connection, key, AccountKind.SELLER), payer.id(), amount, now);
  }

  private long losses(Connection connection, AppliedTransition payment) throws SQLException {
    AccountKey payer = payment.payer();
    return our(
        connection, new AccountKey(payer.network(), NO_ADDRESS, payer.asset()), AccountKind.LOSS);
  }

  private static long payer(AppliedTransition payment, Map<AccountKey, Account> payers)
      throws SQLException {
    Account payer = payers.get(payment.payer());
    if (payer == null) {
      throw new SQLException("a payment's payer has no account");
    }
    return payer.id();
  }

  private void write(
      Connection connection,
      @Nullable UUID payment,
      long debit,
      long credit,
      long amount,
      Instant now)
      throws SQLException {
    dialect.addLines(connection, List.of(new Line(payment, debit, credit, amount)), now);
  }

  private long our(Connection connection, AccountKey key, AccountKind kind) throws SQLException {
    Long known = ours.get(new Ours(kind, key));
    if (known != null) {
      return known;
    }
    OptionalLong found = find(connection, key, kind);
    if (found.isPresent()) {
      ours.put(new Ours(kind, key), found.getAsLong());
      return found.getAsLong();
    }
    return added(connection, key, kind);
  }

  /** Debts are as many as payers, so that they are not remembered. */
  private long debt(Connection connection, AccountKey payer) throws SQLException {
    OptionalLong found = find(connection, payer, AccountKind.DEBT);
    return found.isPresent() ? found.getAsLong() : added(connection, payer, AccountKind.DEBT);
  }

  private long added(Connection connection, AccountKey key, AccountKind kind) throws SQLException {
    // Not remembered before it is read again: this transaction may still be rolled back.
    dialect.addAccounts(connection, List.of(key), kind);
    return find(connection, key, kind)
        .orElseThrow(() -> new SQLException("an account of ours is missing"));
  }

  private static OptionalLong find(Connection connection, AccountKey key, AccountKind kind)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ACCOUNT_ID)) {
      statement.setString(1, key.network());
      statement.setBytes(2, KeyBytes.of(key.network(), key.owner()));
      statement.setString(3, key.asset());
      statement.setString(4, kind.name());
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
      }
    }
  }
}
