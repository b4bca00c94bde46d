package dev.octroi.payments.ledger;

/** What came of asking for a refund. */
public sealed interface RefundResult {

  /** It is noted: paid already where the money lies in this database, else owed. */
  record Noted(Refund refund) implements RefundResult {}

  /** There is no such payment. */
  record Unknown() implements RefundResult {}

  /** The payment has not settled, so there is nothing to give back. */
  record NotSettled() implements RefundResult {}

  /** More than is left of it; {@code rest} is in atomic units. */
  record TooMuch(long rest) implements RefundResult {}
}
