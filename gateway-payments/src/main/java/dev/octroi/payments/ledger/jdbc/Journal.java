package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.AccountKind;
import dev.octroi.payments.ledger.jdbc.Transition.AppliedTransition;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The double-entry journal: one line a movement, never changed, so that no seller's balance is a
 * hot row.
 */
final class Journal {

  private static final String ADD_LOSS = "UPDATE book_account SET lost = lost + ? WHERE id = ?";

  private static final String MOVED =
      """
      SELECT amount FROM journal
      WHERE at = ? AND credit = ? AND payment_id IS NOT DISTINCT FROM CAST(? AS UUID)
      """;

  /** Treasury and losses have no address; they stand under one that no key can sign for. */
  private static final String NO_ADDRESS = "0x00";

  private final Dialect dialect;

  /** Sellers and treasuries: as many as the configuration names. Debts are as many as payers. */
  private final Map<Ours, Long> ours = new ConcurrentHashMap<>();

  /** An account that is no payer's. */
  record Ours(AccountKind kind, AccountKey key) {}

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
   * A line for each payment that was settled: debit the payer, credit the seller.
   *
   * @param payers the locked accounts of the payers
   */
  void settle(
      Connection connection,
      Collection<AppliedTransition> settled,
      Map<AccountKey, Account> payers,
      Changes changes)
      throws SQLException {
    for (AppliedTransition payment : settled) {
      changes.add(line(payment, payer(payment, payers), seller(connection, payment, changes)));
    }
  }

  /** A line for each payment that was settled on account: debit the debt, credit the seller. */
  void owe(Connection connection, Collection<AppliedTransition> owed, Changes changes)
      throws SQLException {
    Set<AccountKey> payers =
        owed.stream().map(AppliedTransition::payer).collect(Collectors.toSet());
    Map<AccountKey, Long> debts = ids(connection, payers, AccountKind.DEBT);
    for (AppliedTransition payment : owed) {
      long debt = Objects.requireNonNull(debts.get(payment.payer()));
      changes.add(line(payment, debt, seller(connection, payment, changes)));
    }
  }

  private static Line line(AppliedTransition payment, long debit, long credit) {
    return new Line(payment.id(), debit, credit, payment.charged());
  }

  private long seller(Connection connection, AppliedTransition payment, Changes changes)
      throws SQLException {
    AccountKey key = payment.payer();
    return our(
        connection,
        new AccountKey(key.network(), payment.payTo(), key.asset()),
        AccountKind.SELLER,
        changes);
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
      Changes changes)
      throws SQLException {
    AccountKey seller = new AccountKey(payer.network(), payTo, payer.asset());
    long debit = our(connection, seller, AccountKind.SELLER, changes);
    changes.add(new Line(transfer, debit, id(connection, payer, AccountKind.DEBT), amount));
  }

  /** What was claimed out of a channel: debit the channel, credit its debt. */
  void claim(Connection connection, Account channel, long amount, Changes changes)
      throws SQLException {
    changes.add(
        new Line(null, channel.id(), id(connection, channel.key(), AccountKind.DEBT), amount));
  }

  /**
   * A payment that was sent and failed: debit the losses, credit the payer, who had an answer for
   * it. The seller's account is left alone, so that it stays what a chain says of it.
   */
  void lose(
      Connection connection,
      AppliedTransition payment,
      Map<AccountKey, Account> payers,
      Changes changes)
      throws SQLException {
    changes.add(line(payment, losses(connection, payment, changes), payer(payment, payers)));
    addLoss(connection, payer(payment, payers), payment.charged());
  }

  /** A loss that turns out to have been paid after all. */
  void regain(
      Connection connection,
      AppliedTransition payment,
      Map<AccountKey, Account> payers,
      Changes changes)
      throws SQLException {
    changes.add(line(payment, payer(payment, payers), losses(connection, payment, changes)));
    addLoss(connection, payer(payment, payers), -payment.charged());
  }

  private static void addLoss(Connection connection, long payer, long amount) throws SQLException {
    Rows.update(
        connection,
        ADD_LOSS,
        statement -> {
          statement.setLong(1, amount);
          statement.setLong(2, payer);
        });
  }

  /** Sandbox money that is given out: debit the treasury, credit the payer. */
  void fund(Connection connection, Account payer, long amount, Changes changes)
      throws SQLException {
    AccountKey treasury = new AccountKey(payer.key().network(), NO_ADDRESS, payer.key().asset());
    long debit = our(connection, treasury, AccountKind.TREASURY, changes);
    changes.add(new Line(null, debit, payer.id(), amount));
  }

  /** What a payer puts into a channel, or has back out of it: debit one, credit the other. */
  static void move(
      UUID payment,
      Map<AccountKey, Account> accounts,
      AccountKey from,
      AccountKey to,
      long amount,
      Changes changes)
      throws SQLException {
    Account debit = accounts.get(from);
    Account credit = accounts.get(to);
    if (debit == null || credit == null) {
      throw new SQLException("a channel or its payer has no account");
    }
    changes.add(new Line(payment, debit.id(), credit.id(), amount));
  }

  /**
   * What was moved to an account at a moment, where it may have been written without our knowing.
   *
   * @param line by what the line is found; null for money that is given out
   */
  static OptionalLong moved(Connection connection, @Nullable UUID line, Account to, Instant at)
      throws SQLException {
    return Rows.first(
            connection,
            MOVED,
            statement -> {
              statement.setObject(1, Rows.utc(at));
              statement.setLong(2, to.id());
              statement.setString(3, line == null ? null : line.toString());
            },
            row -> OptionalLong.of(row.getLong(1)))
        .orElse(OptionalLong.empty());
  }

  /** What goes back: debit the seller, credit the payer. */
  void refund(
      Connection connection,
      UUID payment,
      Account payer,
      String seller,
      long amount,
      Changes changes)
      throws SQLException {
    AccountKey key = new AccountKey(payer.key().network(), seller, payer.key().asset());
    long debit = our(connection, key, AccountKind.SELLER, changes);
    changes.add(new Line(payment, debit, payer.id(), amount));
  }

  private long losses(Connection connection, AppliedTransition payment, Changes changes)
      throws SQLException {
    AccountKey payer = payment.payer();
    return our(
        connection,
        new AccountKey(payer.network(), NO_ADDRESS, payer.asset()),
        AccountKind.LOSS,
        changes);
  }

  private static long payer(AppliedTransition payment, Map<AccountKey, Account> payers)
      throws SQLException {
    Account payer = payers.get(payment.payer());
    if (payer == null) {
      throw new SQLException("a payment's payer has no account");
    }
    return payer.id();
  }

  private long our(Connection connection, AccountKey key, AccountKind kind, Changes changes)
      throws SQLException {
    Ours our = new Ours(kind, key);
    Long known = ours.get(our);
    if (known == null) {
      known = changes.ours().get(our);
    }
    if (known == null) {
      known = id(connection, key, kind);
      changes.ours().put(our, known);
    }
    return known;
  }

  /** Remembers the accounts that a transaction has found or opened, which has committed. */
  void remember(Changes committed) {
    ours.putAll(committed.ours());
  }

  private long id(Connection connection, AccountKey key, AccountKind kind) throws SQLException {
    return Objects.requireNonNull(ids(connection, Set.of(key), kind).get(key));
  }

  /** The ids of accounts, which are opened where they are not there. */
  private Map<AccountKey, Long> ids(Connection connection, Set<AccountKey> keys, AccountKind kind)
      throws SQLException {
    if (keys.isEmpty()) {
      return Map.of();
    }
    Map<AccountKey, Long> ids = new HashMap<>(dialect.accountIds(connection, keys, kind));
    Set<AccountKey> missing = new HashSet<>(keys);
    missing.removeAll(ids.keySet());
    if (!missing.isEmpty()) {
      dialect.addAccounts(connection, missing, kind);
      ids.putAll(dialect.accountIds(connection, missing, kind));
    }
    if (ids.size() < keys.size()) {
      throw new SQLException("an account that was opened is missing");
    }
    return ids;
  }
}
