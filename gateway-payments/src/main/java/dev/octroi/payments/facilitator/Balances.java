package dev.octroi.payments.facilitator;

import java.util.OptionalLong;

/** What accounts have on a network. Thread-safe; may wait for a chain within its own deadline. */
@FunctionalInterface
public interface Balances {

  /**
   * The account's balance in atomic units, as of the latest block; empty if it cannot be asked.
   *
   * @param asset the token's address
   * @param account the account's address in the network's form
   */
  OptionalLong of(String asset, String account);
}
