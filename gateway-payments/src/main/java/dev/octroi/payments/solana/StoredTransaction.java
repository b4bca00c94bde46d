package dev.octroi.payments.solana;

/**
 * A payment's transaction as it was stored before it was sent.
 *
 * @param transaction signed by all
 * @param lastValidHeight no block above this height can hold it
 * @param state where it stands
 */
record StoredTransaction(SolanaTransaction transaction, long lastValidHeight, State state) {

  /** Where a stored transaction stands. */
  enum State {
    /** Stored, and perhaps sent. */
    OPEN,
    /** In a block, and the money moved. */
    LANDED,
    /** It moved nothing and never will. */
    DEAD
  }
}
