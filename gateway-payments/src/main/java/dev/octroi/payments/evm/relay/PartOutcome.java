package dev.octroi.payments.evm.relay;

/** What became of a payment in one transaction. */
enum PartOutcome {
  OPEN,
  /** Proven by its own pair of logs. */
  PAID,
  /** The transaction is final and did not move it; another one may have. */
  NOT_PAID,
  /** It goes on in a transaction of its own. */
  MOVED
}
