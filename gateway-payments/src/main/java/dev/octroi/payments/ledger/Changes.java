package dev.octroi.payments.ledger;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a batch changes in payers' accounts, added up so that each row is written once. */
final class Changes {

  /** Atomic units to add, negative to take. */
  record Change(long reserved, long balance) {

    Change plus(Change other) {
      return new Change(
          Math.addExact(reserved, other.reserved), Math.addExact(balance, other.balance));
    }
  }

  private final Map<AccountKey, Change> changes =
      new TreeMap<>(
          Comparator.comparing(AccountKey::network)
              .thenComparing(AccountKey::owner)
              .thenComparing(AccountKey::asset));

  void add(AccountKey key, long reserved, long balance) {
    changes.merge(key, new Change(reserved, balance), Change::plus);
  }

  /**
   * A claim that ends is no longer reserved; sandbox money leaves with it if it was settled, and
   * what is owed for it stays set aside.
   */
  void add(Step step, Moved payment) {
    long amount = payment.amount();
    switch (step.target()) {
      case SETTLED ->
          add(
              payment.payer(),
              kept(step, payment) - reserved(step, amount),
              step.purse() == Purse.HERE ? -payment.charged() : 0);
      case FAILED, RELEASED -> add(payment.payer(), -amount, 0);
      case CLAIMED, SETTLING, IN_DOUBT -> {}
    }
  }

  /**
   * What ended uncharged has given back what it reserved, also if it turns out to have been paid.
   */
  private static long reserved(Step step, long amount) {
    return step.firstSource().gaveBack() ? 0 : amount;
  }

  private static long kept(Step step, Moved payment) {
    return step.purse() == Purse.ON_ACCOUNT ? payment.charged() : 0;
  }

  boolean isEmpty() {
    return changes.isEmpty();
  }

  List<Map.Entry<AccountKey, Change>> sorted() {
    return List.copyOf(changes.entrySet());
  }
}
