package dev.octroi.payments.ledger.jdbc;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A payer's account as it stands under this transaction's lock.
 *
 * @param reserved the sum of the payer's open claims
 * @param balance sandbox money; empty where a chain holds it
 */
record Account(long id, AccountKey key, long reserved, OptionalLong balance) {

  static Map<AccountKey, Account> byKey(List<Account> accounts) {
    return accounts.stream().collect(Collectors.toMap(Account::key, Function.identity()));
  }

  /** The same with sandbox money. */
  Account with(long atomicUnits) {
    return new Account(id, key, reserved, OptionalLong.of(atomicUnits));
  }

  /** The same after a change. */
  Account plus(Changes.Change change) {
    OptionalLong held =
        balance.isPresent()
            ? OptionalLong.of(Math.addExact(balance.getAsLong(), change.balance()))
            : balance;
    return new Account(id, key, Math.addExact(reserved, change.reserved()), held);
  }

  /**
   * Whether the open claims, {@code more} of this batch and the amount are covered (rule 8).
   *
   * @param told what the payer has by a facilitator's word; empty where it is in this database
   */
  boolean covers(long amount, OptionalLong told, long more) {
    long spendable = told.orElse(balance.orElse(0));
    return Math.addExact(Math.addExact(reserved, more), amount) <= spendable;
  }
}
