package dev.octroi.payments.evm.relay;

/** What became of a payment in one transaction, with its code in the database. */
enum PartOutcome {
  OPEN(1),
  /** Proven by its own pair of logs. */
  PAID(2),
  /** The transaction is final and did not move it; another one may have. */
  NOT_PAID(3),
  /** It goes on in a transaction of its own. */
  MOVED(4);

  private final int code;

  PartOutcome(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
