package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.AccountKind;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.Owner;
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
import org.jspecify.annotations.Nullable;

/**
 * Locks what a batch changes beside its payments, in one order for all transactions: the turns of
 * payers that are trusted, the accounts of payers, then the budgets of keys.
 */
record Locks(Dialect dialect) {

  /**
   * What is locked, as it stands.
   *
   * @param channels that payments which are moved may hold: what such a payment puts into its
   *     channel stands while it holds it
   */
  record Locked(
      Map<AccountKey, Account> accounts,
      Map<UUID, Budget> budgets,
      Map<Payer, ChannelRows.Row> channels) {}

  /**
   * Locks for transitions and claims; opens the accounts of payers that are seen for the first
   * time.
   *
   * @param owner who claims, and is proven to live; null if nothing is claimed
   */
  Locked take(
      Connection connection,
      List<TransitionWork> transitions,
      List<ClaimWork> asked,
      @Nullable Owner owner)
      throws SQLException {
    List<ClaimWork> claims = asked.stream().filter(work -> !work.isLate()).toList();
    List<TransitionWork> moved = transitions.stream().filter(TransitionWork::movesMoney).toList();
    Set<Payer> payers = new TreeSet<>(Payer.LOCK_ORDER);
    moved.forEach(work -> payers.add(Payer.of(work.claim().key())));
    Stream<UUID> keys = moved.stream().flatMap(work -> work.key().stream());
    return take(connection, payers, claims, Stream.concat(keys, keys(claims)), owner);
  }

  /** Locks for transitions of these payers' payments, paid with these keys. */
  Locked take(Connection connection, Set<Payer> moved, Stream<UUID> keys) throws SQLException {
    return take(connection, moved, List.of(), keys, null);
  }

  private Locked take(
      Connection connection,
      Set<Payer> moved,
      List<ClaimWork> claims,
      Stream<UUID> keys,
      @Nullable Owner owner)
      throws SQLException {
    Map<Payer, ChannelRows.Row> channels = ChannelRows.read(connection, dialect, moved);
    Set<Payer> payers = new TreeSet<>(Payer.LOCK_ORDER);
    payers.addAll(moved);
    channels.values().stream().flatMap(Locks::payerOfDeposit).forEach(payers::add);
    for (ClaimWork claim : claims) {
      payers.add(Payer.of(claim.request().key()));
      payerOfDeposit(claim.request()).map(Payer::of).ifPresent(payers::add);
    }
    SortedSet<Payer> trusted =
        claims.stream()
            .map(ClaimWork::request)
            .filter(request -> request.trusted().isPresent())
            .map(request -> Payer.of(request.key()))
            .collect(Collectors.toCollection(() -> new TreeSet<>(Payer.LOCK_ORDER)));
    if (!trusted.isEmpty()) {
      dialect.takeTurns(connection, trusted);
    }
    Map<AccountKey, Account> accounts = new HashMap<>();
    if (!payers.isEmpty() || owner != null) {
      accounts.putAll(Account.byKey(dialect.lockPayers(connection, payers, owner)));
    }
    open(connection, claims, accounts);
    return new Locked(accounts, budgets(connection, keys), channels);
  }

  private static Stream<Payer> payerOfDeposit(ChannelRows.Row channel) {
    return channel.deposit() > 0 ? Stream.of(Payer.of(channel.payer())) : Stream.empty();
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
      Set<Payer> payers = missing.stream().map(Payer::of).collect(Collectors.toSet());
      accounts.putAll(Account.byKey(dialect.lockPayers(connection, payers)));
    }
  }

  private static Optional<AccountKey> payerOfDeposit(ClaimRequest request) {
    return request
        .channel()
        .flatMap(ChannelUse::deposit)
        .map(deposit -> ChannelRows.payer(request));
  }

  private Map<UUID, Budget> budgets(Connection connection, Stream<UUID> keys) throws SQLException {
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

    static Payer of(AccountKey key) {
      return new Payer(key.network(), key.owner());
    }
  }
}
