package dev.octroi.payments.x402;

import java.util.Map;

/** Whether payers may, or must, call their payments by an identifier of their own. */
public enum IdentifierPolicy {
  OFF,
  OPTIONAL,
  REQUIRED;

  /** What challenges announce of it, by the extension's name. */
  public Map<String, Object> announced() {
    return this == OFF
        ? Map.of()
        : Map.of(PaymentIdentifier.EXTENSION, PaymentIdentifier.announcement(this == REQUIRED));
  }
}
