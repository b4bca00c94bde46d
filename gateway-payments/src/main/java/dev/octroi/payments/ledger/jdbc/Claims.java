package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.ChannelUse.Deposit;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.jdbc.KeyBooks.Budget;
import dev.octroi.payments.ledger.jdbc.Locks.Payer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides a batch of requests for claims under the locks of their payers' accounts, which is what
 * makes the sum of a payer's open claims hold across nodes (money rule 8).
 */
final class Claims {

  /** The reason of a payment whose time is over. */
  static final String EXPIRED = "invalid_exact_evm_payload_authorization_valid_before";

  private final Dialect dialect;
  private final Books books;
  private final Redelivering redelivering;
  private final long startingBalance;
  private final Duration replayTime;

  Claims(Dialect dialect, Books books, Redelivering redelivering, LedgerSettings settings) {
    this.dialect = dialect;
    this.books = books;
    this.redelivering = redelivering;
    this.startingBalance = settings.startingBalance();
    this.replayTime = settings.replays().time();
  }

  /**
   * Claims what may be claimed.
   *
   * @param locked what stands under this transaction's locks
   * @param changes takes what claims reserve, to be written with the rest
   */
  void run(
      Connection connection,
      List<ClaimWork> works,
      Locks.Locked locked,
      Changes changes,
      Owner owner,
      Instant now,
      Instant claimedAt)
      throws SQLException {
    works.forEach(work -> work.entry().ownedBy(owner));
    List<ClaimWork> others = new ArrayList<>(works.stream().filter(ClaimWork::isLate).toList());
    FirstUses uses = new FirstUses(connection, now, replayTime);
    List<ClaimWork> left = uses.admit(works.stream().filter(work -> !work.isLate()).toList());
    Map<AccountKey, Account> accounts = funded(connection, left, locked.accounts(), changes);
    ChannelStandings channels = channels(connection, left);
    // Of the day of the claim, by which a budget is given back: locks may have lasted over
    // midnight.
    Reservations made = new Reservations(accounts, locked.budgets(), channels, claimedAt);
    boolean again = true;
    while (again) {
      List<ClaimWork> covered = covered(left, made.copy());
      int claimed = claim(connection, covered, made, uses, others, owner, claimedAt);
      Set<ClaimWork> decided = Set.copyOf(covered);
      left = left.stream().filter(work -> !decided.contains(work)).toList();
      // What was set aside for a request that found its payment taken is free for the rest.
      again = claimed < covered.size() && !left.isEmpty();
    }
    made.accounts().forEach((key, amount) -> changes.add(key, amount, 0));
    books.reserve(connection, made.budgets());
    answerOthers(connection, others, left, made, owner, now);
  }

  /**
   * The accounts of all works, with money where a payer of the sandbox is seen for the first time.
   */
  private Map<AccountKey, Account> funded(
      Connection connection,
      List<ClaimWork> works,
      Map<AccountKey, Account> locked,
      Changes changes)
      throws SQLException {
    Map<AccountKey, Account> accounts = new HashMap<>(locked);
    for (ClaimWork work : works) {
      AccountKey key = AccountKey.payer(work.request());
      Account account = accounts.get(key);
      if (account == null) {
        throw new SQLException("a payer's account is missing");
      }
      if (isReservedHere(work.request()) && account.balance().isEmpty()) {
        if (work.request().channel().isPresent()) {
          Books.open(connection, account, 0);
          accounts.put(key, account.with(0));
        } else {
          fund(connection, accounts, key, changes);
        }
      }
      if (work.request().channel().filter(Claims::bringsSandboxMoney).isPresent()) {
        fund(connection, accounts, ChannelRows.payer(work.request()), changes);
      }
    }
    return accounts;
  }

  private static boolean isReservedHere(ClaimRequest request) {
    return request.spendable().isEmpty() && request.trusted().isEmpty();
  }

  private static boolean bringsSandboxMoney(ChannelUse use) {
    return use.claimed().isEmpty() && use.deposit().isPresent();
  }

  private void fund(
      Connection connection, Map<AccountKey, Account> accounts, AccountKey key, Changes changes)
      throws SQLException {
    Account account = accounts.get(key);
    if (account != null && account.balance().isEmpty()) {
      books.fund(connection, account, startingBalance, changes);
      accounts.put(key, account.with(startingBalance));
    }
  }

  private ChannelStandings channels(Connection connection, List<ClaimWork> works)
      throws SQLException {
    List<ClaimRequest> requests = works.stream().map(ClaimWork::request).toList();
    Set<PaymentKey> taken = new HashSet<>();
    for (ClaimRequest request : requests) {
      Optional<Deposit> deposit = request.channel().flatMap(ChannelUse::deposit);
      if (deposit.isPresent() && ChannelRows.isTaken(connection, request, deposit.get())) {
        taken.add(request.key());
      }
    }
    List<Payer> payers = requests.stream().map(request -> Payer.of(request.key())).toList();
    return new ChannelStandings(ChannelRows.read(connection, dialect, payers), taken);
  }

  private static List<ClaimWork> covered(List<ClaimWork> works, Reservations tried) {
    List<ClaimWork> covered = new ArrayList<>();
    for (ClaimWork work : works) {
      if (tried.refusal(work.request()).isEmpty()) {
        tried.take(work.request());
        covered.add(work);
      }
    }
    return covered;
  }

  private int claim(
      Connection connection,
      List<ClaimWork> works,
      Reservations made,
      FirstUses uses,
      List<ClaimWork> others,
      Owner owner,
      Instant claimedAt)
      throws SQLException {
    if (works.isEmpty()) {
      return 0;
    }
    Map<PaymentKey, Claim> claims =
        dialect.claim(
            connection, works.stream().map(ClaimWork::request).toList(), owner, claimedAt);
    Map<Claim, ClaimRequest> holding = new HashMap<>();
    for (ClaimWork work : works) {
      Claim claim = claims.get(work.request().key());
      if (claim == null) {
        others.add(work);
      } else {
        made.take(work.request());
        uses.claimed(work, claim);
        if (work.request().channel().isPresent()) {
          holding.put(claim, work.request());
        }
        work.propose(new ClaimResult.Claimed(claim));
      }
    }
    if (!holding.isEmpty()) {
      ChannelRows.hold(connection, holding, claimedAt);
    }
    return claims.size();
  }

  /** A payment that is there decides for itself; only one that is not, or is free, needs cover. */
  private void answerOthers(
      Connection connection,
      List<ClaimWork> taken,
      List<ClaimWork> uncovered,
      Reservations made,
      Owner owner,
      Instant now)
      throws SQLException {
    List<ClaimWork> works = new ArrayList<>(taken);
    works.addAll(uncovered);
    if (works.isEmpty()) {
      return;
    }
    Map<PaymentKey, PaymentRow> rows = new HashMap<>();
    dialect
        .find(connection, works.stream().map(work -> work.request().key()).toList())
        .forEach(row -> rows.put(row.key(), row));
    Set<ClaimWork> poor = Set.copyOf(uncovered);
    for (ClaimWork work : works) {
      PaymentRow row = rows.get(work.request().key());
      if (work.isLate() && (row == null || !row.state().hasBegunToSettle())) {
        work.propose(neverSettled(row));
      } else if (row == null || row.state() == PaymentState.RELEASED) {
        // One that was taken a statement ago and is free now was released in between.
        work.propose(poor.contains(work) ? uncovered(made, work) : new ClaimResult.InFlight());
      } else if (poor.contains(work)
          && work.request().channel().isPresent()
          && !row.isFor(work.request())) {
        // Another call was paid by a voucher for the same sum.
        work.propose(uncovered(made, work));
      } else {
        work.propose(redelivering.answer(connection, work.request(), row, owner, now));
      }
    }
  }

  /** While another request still has it, it may settle yet. */
  private static ClaimResult neverSettled(@Nullable PaymentRow row) {
    return row != null && row.state() == PaymentState.CLAIMED
        ? new ClaimResult.InFlight()
        : new ClaimResult.Failed(EXPIRED);
  }

  private static ClaimResult uncovered(Reservations made, ClaimWork work) {
    return made.refusal(work.request()).orElseGet(ClaimResult.Insufficient::new);
  }

  /**
   * What stands of the channels of a batch.
   *
   * @param rows new ones are missing
   * @param taken payments whose deposits were taken before
   */
  record ChannelStandings(Map<Payer, ChannelRows.Row> rows, Set<PaymentKey> taken) {

    /** What may be spent of a request's channel in all by the contract's last word. */
    OptionalLong held(ClaimRequest request) {
      ChannelRows.Row row = row(request);
      return row == null ? OptionalLong.empty() : row.held();
    }

    private ChannelRows.@Nullable Row row(ClaimRequest request) {
      return rows.get(Payer.of(request.key()));
    }

    /** Why a channel takes no such payment, whatever it holds; empty if it does. */
    Optional<String> refusal(ClaimRequest request, ChannelUse use) {
      ChannelRows.Row row = row(request);
      if (row != null && row.isHeld()) {
        return Optional.of(ChannelUse.BUSY);
      }
      long claimed = use.claimed().orElse(0);
      if (row != null && row.charged() < claimed) {
        return Optional.of(ChannelUse.BELOW_CLAIMED);
      }
      // A database that does not know the channel begins with what the contract says was claimed.
      if (use.before() != (row == null ? claimed : row.charged())) {
        return Optional.of(ChannelUse.MISMATCH);
      }
      return taken.contains(request.key()) ? Optional.of(ChannelUse.NO_DEPOSIT) : Optional.empty();
    }
  }

  /**
   * What a batch's claims take from payers' accounts and from the budgets of keys, which are
   * locked; of one thread.
   */
  static final class Reservations {

    private final Map<AccountKey, Account> accounts;
    private final Map<Payer, List<Account>> ofPayers;
    private final Map<UUID, Budget> budgets;
    private final ChannelStandings channels;
    private final Instant now;
    private final Map<AccountKey, Long> reserved = new HashMap<>();
    private final Map<UUID, Budget> spent = new HashMap<>();
    private final Set<AccountKey> held = new HashSet<>();

    Reservations(
        Map<AccountKey, Account> accounts,
        Map<UUID, Budget> budgets,
        ChannelStandings channels,
        Instant now) {
      this.accounts = accounts;
      this.ofPayers =
          accounts.values().stream()
              .collect(Collectors.groupingBy(account -> Payer.of(account.key())));
      this.budgets = budgets;
      this.channels = channels;
      this.now = now;
    }

    /** The same, to try what more would do. */
    Reservations copy() {
      Reservations copy = new Reservations(accounts, budgets, channels, now);
      copy.held.addAll(held);
      copy.reserved.putAll(reserved);
      copy.spent.putAll(spent);
      return copy;
    }

    /** Why a claim cannot be made; empty if it can. */
    Optional<ClaimResult> refusal(ClaimRequest request) {
      Optional<ClaimResult.OverBudget> over =
          request.origin().key().flatMap(key -> budget(key).brokenBy(request.amount()));
      if (over.isPresent()) {
        return Optional.of(over.get());
      }
      if (request.channel().isPresent()) {
        return refusal(request, request.channel().get()).map(ClaimResult.Failed::new);
      }
      Account account = accounts.get(AccountKey.payer(request));
      return account != null && covers(account, request) && isTrusted(request)
          ? Optional.empty()
          : Optional.of(new ClaimResult.Insufficient());
    }

    /**
     * Whether what the payer has of a token covers it; no balance is known of one that is trusted.
     */
    private boolean covers(Account account, ClaimRequest request) {
      return (request.spendable().isEmpty() && request.trusted().isPresent())
          || account.covers(request.amount(), request.spendable(), taken(account.key()));
    }

    /** A payer is trusted, not its token: what it has open in the others counts too. */
    private boolean isTrusted(ClaimRequest request) {
      if (request.trusted().isEmpty()) {
        return true;
      }
      long unsettled = request.amount();
      for (Account account : ofPayers.getOrDefault(Payer.of(request.key()), List.of())) {
        unsettled = Math.addExact(unsettled, account.reserved());
        unsettled = Math.addExact(unsettled, taken(account.key()));
      }
      return unsettled <= request.trusted().getAsLong();
    }

    private Optional<String> refusal(ClaimRequest request, ChannelUse use) {
      AccountKey key = AccountKey.payer(request);
      Optional<String> standing =
          held.contains(key) ? Optional.of(ChannelUse.BUSY) : channels.refusal(request, use);
      if (standing.isPresent()) {
        return standing;
      }
      long deposit = use.deposit().map(Deposit::amount).orElse(0L);
      Account payer = accounts.get(ChannelRows.payer(request));
      OptionalLong funds = use.deposit().map(Deposit::funds).orElse(OptionalLong.empty());
      if (deposit > 0 && (payer == null || !payer.covers(deposit, funds, taken(payer.key())))) {
        return Optional.of(ChannelUse.NO_FUNDS);
      }
      Account channel = accounts.get(key);
      return channel != null && covers(channel, request, use, deposit)
          ? Optional.empty()
          : Optional.of(ChannelUse.EXCEEDS);
    }

    /**
     * A contract counts all that was ever put in, and with it what this payment brings. Of a
     * voucher alone the facilitator's word may be older than the last reading, of another node.
     */
    private boolean covers(Account channel, ClaimRequest request, ChannelUse use, long deposit) {
      long more = taken(channel.key());
      if (use.claimed().isEmpty()) {
        return channel.covers(request.amount() - deposit, OptionalLong.empty(), more);
      }
      long told = request.spendable().orElse(0);
      long held = deposit > 0 ? told : Math.min(told, channels.held(request).orElse(told));
      return channel.covers(request.amount(), OptionalLong.of(held - use.before()), more);
    }

    private long taken(AccountKey key) {
      return reserved.getOrDefault(key, 0L);
    }

    void take(ClaimRequest request) {
      request.channel().ifPresent(use -> hold(request, use));
      reserved.merge(AccountKey.payer(request), request.amount(), Math::addExact);
      request.origin().key().ifPresent(key -> spent.put(key, budget(key).plus(request.amount())));
    }

    private void hold(ClaimRequest request, ChannelUse use) {
      held.add(AccountKey.payer(request));
      use.deposit()
          .ifPresent(
              deposit ->
                  reserved.merge(ChannelRows.payer(request), deposit.amount(), Math::addExact));
    }

    private Budget budget(UUID key) {
      Budget known = spent.getOrDefault(key, budgets.get(key));
      if (known == null) {
        throw new IllegalStateException("the budget of key " + key + " is missing");
      }
      return known.at(now);
    }

    /** What was taken from each account. */
    Map<AccountKey, Long> accounts() {
      return reserved;
    }

    /** The budgets that were taken from, as they are now. */
    Collection<Budget> budgets() {
      return spent.values();
    }
  }
}
