package dev.octroi.payments.solana;

import java.io.IOException;

/** Where a payer finds the hash of a recent block, which dates what it signs. Thread-safe. */
@FunctionalInterface
public interface Blockhashes {

  /**
   * A recent block's hash.
   *
   * @throws IOException if the chain cannot be asked
   */
  SolanaAddress recent() throws IOException;
}
