package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.jdbc.Transition.AppliedTransition;
import dev.octroi.payments.ledger.jdbc.Transition.SettlementMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a transaction changes in the books: payers' accounts, added up so that each row is written
 * once, and the journal's lines. Of one thread.
 */
final class Changes {

  /** Atomic units to add, negative to take. */
  record Change(long reserved, long balance) {

    boolean isNothing() {
      return reserved == 0 && balance == 0;
    }

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

  private final List<Journal.Line> lines = new ArrayList<>();

  private final Map<Journal.Ours, Long> ours = new HashMap<>();

  void add(Journal.Line line) {
    lines.add(line);
  }

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

  /** The accounts as they are with these changes. */
  Map<AccountKey, Account> in(Map<AccountKey, Account> accounts) {
    Map<AccountKey, Account> changed = new HashMap<>(accounts);
    changes.forEach(
        (key, change) -> changed.computeIfPresent(key, (same, account) -> account.plus(change)));
    return changed;
  }

  /** The journal's lines, in the order in which they were added. */
  List<Journal.Line> lines() {
    return lines;
  }

  /** The ids of accounts that the lines name, which hold if the transaction commits. */
  Map<Journal.Ours, Long> ours() {
    return ours;
  }

  /** The accounts that change, in the order in which all transactions write them. */
  List<Map.Entry<AccountKey, Change>> sorted() {
    return changes.entrySet().stream().filter(entry -> !entry.getValue().isNothing()).toList();
  }
}
