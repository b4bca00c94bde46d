package dev.octroi.payments.ledger;

/** The states of a payment (money rules, "States of a payment"). */
public enum PaymentState {
  CLAIMED,
  SETTLING,
  SETTLED,
  FAILED,
  RELEASED,
  IN_DOUBT;

  /** From here on the binding is final, and money may have moved. */
  public boolean hasBegunToSettle() {
    return this != CLAIMED && this != RELEASED;
  }

  /** It began to settle, and its end is not known. */
  public boolean isUnresolved() {
    return this == SETTLING || this == IN_DOUBT;
  }

  /** It has ended, with a charge or without. */
  public boolean isClosed() {
    return this == SETTLED || gaveBack();
  }

  /** It ended without a charge, and gave back what it had reserved. */
  public boolean gaveBack() {
    return this == FAILED || this == RELEASED;
  }
}
