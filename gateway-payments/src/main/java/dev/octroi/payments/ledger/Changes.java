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
  void add(Transition transition, AppliedTransition payment) {
    long amount = payment.amount();
    switch (transition.target()) {
      case SETTLED ->
          add(
              payment.payer(),
              kept(transition, payment) - reserved(transition, amount),
              transition.mode() == SettlementMode.HERE ? -payment.charged() : 0);
      case FAILED, RELEASED -> add(payment.payer(), -amount, 0);
      case CLAIMED, SETTLING, IN_DOUBT -> {}
    }
  }

  /**
   * What ended uncharged has given back what it reserved, also if it turns out to have been paid.
   */
  private static long reserved(Transition transition, long amount) {
    return transition.firstSource().gaveBack() ? 0 : amount;
  }

  private static long kept(Transition transition, AppliedTransition payment) {
    return transition.mode() == SettlementMode.ON_ACCOUNT ? payment.charged() : 0;
  }

  boolean isEmpty() {
    return changes.isEmpty();
  }

  List<Map.Entry<AccountKey, Change>> sorted() {
    return List.copyOf(changes.entrySet());
  }
}
