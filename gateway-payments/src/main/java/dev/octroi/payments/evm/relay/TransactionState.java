package dev.octroi.payments.evm.relay;

/** Where a transaction is on its way, with its code in the database. */
enum TransactionState {
  /** In the database; perhaps on its way, if a node died in between. */
  STORED(1),
  /** Taken by a node. */
  SENT(2),
  /** In a block that may still be taken back. */
  MINED(3),
  /** In a block at the configured depth, with the outcome of each payment. */
  FINAL(4),
  /** Another transaction has its nonce for good. */
  REPLACED(5);

  private final int code;

  TransactionState(int code) {
    this.code = code;
  }

  boolean isUnderWay() {
    return this == STORED || this == SENT || this == MINED;
  }

  int code() {
    return code;
  }

  static TransactionState of(int code) {
    return values()[code - 1];
  }
}
