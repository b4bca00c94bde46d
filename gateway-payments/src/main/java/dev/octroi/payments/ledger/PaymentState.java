package dev.octroi.payments.ledger;

/**
 * The states of a payment (money rules, "States of a payment") with their codes in the database.
 */
public enum PaymentState {
  CLAIMED(1),
  SETTLING(2),
  SETTLED(3),
  FAILED(4),
  RELEASED(5),
  IN_DOUBT(6);

  private final int code;

  PaymentState(int code) {
    this.code = code;
  }

  /** From here on the binding is final, and money may have moved. */
  boolean hasBegunToSettle() {
    return this != CLAIMED && this != RELEASED;
  }

  /** It began to settle, and its end is not known. */
  boolean isUnresolved() {
    return this == SETTLING || this == IN_DOUBT;
  }

  /** It ended without a charge, and gave back what it had reserved. */
  boolean gaveBack() {
    return this == FAILED || this == RELEASED;
  }

  int code() {
    return code;
  }

  static PaymentState of(int code) {
    return values()[code - 1];
  }
}
