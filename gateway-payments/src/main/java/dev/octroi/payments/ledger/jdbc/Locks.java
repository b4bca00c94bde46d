package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.AccountKind;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.jdbc.KeyBooks.Budget;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Locks what a batch changes beside its payments, in one order for all transactions: the accounts
 * of payers, then the budgets of keys.
 */
final class Locks {

  /** What is locked, as it stands. */
  record Locked(Map<AccountKey, Account> accounts, Map<UUID, Budget> budgets) {}

  private final Dialect dialect;

  Locks(Dialect dialect) {
    this.dialect = dialect;
  }

  /**
   * Locks for transitions and claims; opens the accounts of payers that are seen for the first
   * time.
   */
  Locked take(Connection connection, List<TransitionWork> transitions, List<ClaimWork> asked)
      throws SQLException {
    List<ClaimWork> claims = asked.stream().filter(work -> !work.isLate()).toList();
    Set<Payer> payers = new TreeSet<>(Payer.LOCK_ORDER);
    transitions.stream()
        .filter(TransitionWork::movesMoney)
        .forEach(work -> payers.add(Payer.of(work.claim().key())));
    claims.forEach(claim -> payers.add(Payer.of(claim.request().key())));
    payers.addAll(ChannelRows.payers(connection, dialect, Set.copyOf(payers)));
    claims.stream()
        .flatMap(claim -> payerOfDeposit(claim.request()).stream())
        .forEach(key -> payers.add(new Payer(key.network(), key.owner())));
    Map<AccountKey, Account> accounts = new HashMap<>(payers(connection, payers));
    open(connection, claims, accounts);
    Stream<UUID> moved =
        transitions.stream()
            .filter(TransitionWork::movesMoney)
            .flatMap(work -> work.key().stream());
    return new Locked(accounts, budgets(connection, Stream.concat(moved, keys(claims))));
  }

  /** The budgets of claims as they are now. */
  Map<UUID, Budget> budgets(Connection connection, List<ClaimWork> asked) throws SQLException {
    return budgets(connection, keys(asked));
  }

  private static Stream<UUID> keys(List<ClaimWork> asked) {
    return asked.stream()
        .filter(work -> !work.isLate())
        .flatMap(work -> work.request().origin().key().stream());
  }

  private void open(
      Connection connection, List<ClaimWork> claims, Map<AccountKey, Account> accounts)
      throws SQLException {
    List<AccountKey> missing =
        claims.stream()
            .map(ClaimWork::request)
            .flatMap(
                request ->
                    Stream.concat(
                        Stream.of(AccountKey.payer(request)), payerOfDeposit(request).stream()))
            .distinct()
            .filter(key -> !accounts.containsKey(key))
            .toList();
    if (!missing.isEmpty()) {
      dialect.addAccounts(connection, missing, AccountKind.PAYER);
      Set<Payer> payers = new TreeSet<>(Payer.LOCK_ORDER);
      missing.forEach(key -> payers.add(new Payer(key.network(), key.owner())));
      accounts.putAll(payers(connection, payers));
    }
  }

  private static Optional<AccountKey> payerOfDeposit(ClaimRequest request) {
    return request
        .channel()
        .flatMap(ChannelUse::deposit)
        .map(deposit -> ChannelRows.payer(request));
  }

  Map<AccountKey, Account> payers(Connection connection, Set<Payer> payers) throws SQLException {
    return payers.isEmpty() ? Map.of() : Account.byKey(dialect.lockPayers(connection, payers));
  }

  Map<UUID, Budget> budgets(Connection connection, Stream<UUID> keys) throws SQLException {
    SortedSet<UUID> sorted = keys.collect(Collectors.toCollection(TreeSet::new));
    return sorted.isEmpty()
        ? Map.of()
        : dialect.lockBudgets(connection, sorted).stream()
            .collect(Collectors.toMap(Budget::key, Function.identity()));
  }

  /** A payer on a network, whatever the asset. */
  record Payer(String network, String address) {

    /** The one order in which transactions lock payers, so that two never wait for each other. */
    static final Comparator<Payer> LOCK_ORDER =
        Comparator.comparing(Payer::network).thenComparing(Payer::address);

    static Payer of(PaymentKey key) {
      return new Payer(key.network(), key.payer());
    }
  }
}
