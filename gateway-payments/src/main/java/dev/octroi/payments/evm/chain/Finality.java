package dev.octroi.payments.evm.chain;

import java.time.Duration;

/**
 * How deep is deep enough (money rules 5 and 11).
 *
 * @param confirmations blocks that show a transfer, its own included, before it counts as settled:
 *     1 or more
 * @param finalDepth blocks above one that never changes; 0 asks the chain for its own tag {@code
 *     finalized}
 * @param longestLife how long before its end an authorization may have been used at the earliest
 * @param blocksPerQuery how many blocks a node is asked for logs of at once
 */
public record Finality(
    int confirmations, int finalDepth, Duration longestLife, int blocksPerQuery) {

  /** Throws {@link IllegalArgumentException} if a number is out of its range. */
  public Finality {
    if (confirmations < 1 || finalDepth < 0 || blocksPerQuery < 1) {
      throw new IllegalArgumentException(
          "confirmations and blocks per query are 1 or more, the final depth is 0 or more");
    }
  }
}
