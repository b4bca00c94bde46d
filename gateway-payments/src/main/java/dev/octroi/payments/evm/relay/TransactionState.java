package dev.octroi.payments.evm.relay;

/** Where a transaction is on its way. */
enum TransactionState {
  /** In the database; perhaps on its way, if a node died in between. */
  STORED,
  /** Taken by a node. */
  SENT,
  /** In a block that may still be taken back. */
  MINED,
  /** In a block at the configured depth, with the outcome of each payment. */
  FINAL,
  /** Another transaction has its nonce for good. */
  REPLACED;

  boolean isUnderWay() {
    return this == STORED || this == SENT || this == MINED;
  }
}
