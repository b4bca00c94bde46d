package dev.octroi.payments.x402;

import java.util.Map;

/** Whether payers may, or must, call their payments by an identifier of their own. */
public enum IdentifierPolicy {
  OFF,
  OPTIONAL,
  REQUIRED;

  /** What challenges announce of it. */
  public Extensions announced() {
    return this == OFF
        ? Extensions.NONE
        : Extensions.of(
            Map.of(PaymentIdentifier.EXTENSION, PaymentIdentifier.announcement(this == REQUIRED)));
  }
}
