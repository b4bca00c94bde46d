package dev.octroi.payments.ledger;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What a batch's claims take from payers' accounts and from the budgets of keys, which are locked;
 * of one thread.
 */
final class Reservations {

  private final Map<AccountKey, Account> accounts;
  private final Map<UUID, Budget> budgets;
  private final Instant now;
  private final Map<AccountKey, Long> reserved = new HashMap<>();
  private final Map<UUID, Budget> spent = new HashMap<>();

  Reservations(Map<AccountKey, Account> accounts, Map<UUID, Budget> budgets, Instant now) {
    this.accounts = accounts;
    this.budgets = budgets;
    this.now = now;
  }

  /** The same, to try what more would do. */
  Reservations copy() {
    Reservations copy = new Reservations(accounts, budgets, now);
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
    AccountKey key = AccountKey.payer(request);
    Account account = accounts.get(key);
    return account != null && account.covers(request, reserved.getOrDefault(key, 0L))
        ? Optional.empty()
        : Optional.of(new ClaimResult.Insufficient());
  }

  void take(ClaimRequest request) {
    reserved.merge(AccountKey.payer(request), request.amount(), Math::addExact);
    request.origin().key().ifPresent(key -> spent.put(key, budget(key).plus(request.amount())));
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
