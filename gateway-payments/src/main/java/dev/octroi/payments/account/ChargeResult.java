package dev.octroi.payments.account;

import dev.octroi.payments.PaymentUse;

/** What came of charging an account. */
public sealed interface ChargeResult {

  /** The money has moved, or its transaction is on its way. */
  record Settled(PaymentUse use, String transaction) implements ChargeResult {}

  /** No wallet of the account can pay that at the moment; nothing was charged. */
  record NoFunds(String reason) implements ChargeResult {}

  /** It may not be charged, or was refused for certain; nothing was charged. */
  record Refused(String reason) implements ChargeResult {

    /** The reason where the budgets of the account's keys do not allow it. */
    public static final String OVER_BUDGET = "spend_limit_exceeded";

    public boolean isOverBudget() {
      return reason.equals(OVER_BUDGET);
    }
  }

  /** Whether the money moved is not known yet; the ledger will know ({@code PaymentStatuses}). */
  record InDoubt(PaymentUse use) implements ChargeResult {}
}
