package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.AccountKind;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.payments.ledger.jdbc.JournalClosing.JournalStorage;
import dev.octroi.payments.ledger.jdbc.KeyBooks.Budget;
import dev.octroi.payments.ledger.jdbc.Locks.Payer;
import dev.octroi.payments.ledger.jdbc.Transition.AppliedTransition;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The statements that H2 and PostgreSQL spell differently, each for a whole batch. */
interface Dialect {

  /** Inserts accounts of a kind unless they are there. */
  void addAccounts(Connection connection, Collection<AccountKey> keys, AccountKind kind)
      throws SQLException;

  /** The ids of accounts of a kind; new ones are missing. */
  Map<AccountKey, Long> accountIds(
      Connection connection, Collection<AccountKey> keys, AccountKind kind) throws SQLException;

  /**
   * Has transactions that claim on trust in a payer read its accounts one after the other: one that
   * waited for a row of them would not see an account that was opened meanwhile.
   *
   * @param payers in the order in which all transactions lock them
   */
  void takeTurns(Connection connection, SortedSet<Payer> payers) throws SQLException;

  /** Locks all accounts of these payers, in one order for all transactions, and reads them. */
  default List<Account> lockPayers(Connection connection, Collection<Payer> payers)
      throws SQLException {
    return lockPayers(connection, payers, null);
  }

  /**
   * The same.
   *
   * @param claiming whose epoch is proven to live first, and kept from being closed before the
   *     transaction ends; null if nothing is claimed
   * @throws SQLException also if the epoch has expired
   */
  List<Account> lockPayers(
      Connection connection, Collection<Payer> payers, @Nullable Owner claiming)
      throws SQLException;

  /** Locks all accounts of a payer, and reads the one of an asset; empty if there is none. */
  default Optional<Account> lock(Connection connection, AccountKey key) throws SQLException {
    return lockPayers(connection, List.of(Payer.of(key))).stream()
        .filter(account -> account.key().equals(key))
        .findFirst();
  }

  /** Reads the rows of these channels; new ones are missing. */
  List<ChannelRows.Row> channels(Connection connection, Collection<Payer> channels)
      throws SQLException;

  /** Locks the budgets of these keys, in one order for all transactions, and reads them. */
  List<Budget> lockBudgets(Connection connection, SortedSet<UUID> keys) throws SQLException;

  /** Adds to a line of usage or begins it: key, day, scope, calls, spend. */
  String addUsage();

  /**
   * Claims what is new or RELEASED; what is neither is missing in the result. No two requests have
   * the same key.
   */
  Map<PaymentKey, Claim> claim(
      Connection connection, List<ClaimRequest> requests, Owner owner, Instant now)
      throws SQLException;

  /** Reads the payments of these keys. */
  List<PaymentRow> find(Connection connection, List<PaymentKey> keys) throws SQLException;

  /** Does the steps that may be done; the result names them. */
  List<AppliedTransition> move(Connection connection, List<Transition> transitions, Instant now)
      throws SQLException;

  /**
   * Writes what a transaction has added up: accounts, whose rows are locked, lines of the journal,
   * and that the answers of calls have left.
   */
  void write(Connection connection, Changes changes, List<Deliveries.Note> arrived, Instant now)
      throws SQLException;

  /** Where the journal's lines lie. */
  JournalStorage journal();

  /**
   * How many transactions the ledger writes at a time. One where a commit is not saved as a whole
   * while others go on, see {@link SingleWriter}.
   */
  int writers();

  /** The dialect of a database; throws {@link LedgerUnavailable} if it cannot be reached. */
  static Dialect of(DataSource database) {
    return of(database, Outbox.NONE);
  }

  /**
   * The same.
   *
   * @param outbox takes the events of payments, in the statement that moves them
   */
  static Dialect of(DataSource database, Outbox outbox) {
    try (Connection connection = database.getConnection()) {
      return of(connection, outbox);
    } catch (SQLException e) {
      throw new LedgerUnavailable("the ledger's database cannot be reached", e);
    }
  }

  static Dialect of(Connection connection, Outbox outbox) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    return switch (product.toLowerCase(Locale.ROOT)) {
      case "h2" -> new H2Dialect(outbox);
      case "postgresql" -> new PostgresDialect(outbox);
      default ->
          throw new IllegalArgumentException(
              "the ledger keeps its books in H2 or PostgreSQL, not in " + product);
    };
  }
}
