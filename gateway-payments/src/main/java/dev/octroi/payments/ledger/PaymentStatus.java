package dev.octroi.payments.ledger;

/** Where a payment stands with what it was used for. */
public enum PaymentStatus {
  /** Claimed, settling or in doubt: it may still pay. */
  OPEN,
  /** It has paid, or its transaction is on its way. */
  SETTLED,
  /** It has failed, was given back, was used for another request, or is forgotten. */
  DEAD
}
