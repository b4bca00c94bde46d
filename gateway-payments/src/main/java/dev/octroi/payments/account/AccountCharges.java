package dev.octroi.payments.account;

import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.Usd;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Charges the managed wallets of accounts without a request, such as for a lease that is renewed.
 * Thread-safe.
 */
public interface AccountCharges {

  /**
   * Has a wallet of the account pay, exactly as for a call by one of its keys: it signs, the
   * payment is verified and claimed, and settles.
   *
   * @param amount above zero
   * @param purpose what is paid for: the group's word, a slash, and what it is there, at most 200
   *     characters in all; in the books it stands as the path
   * @param beforeSettling called between claim and settlement, with what would pay; false gives the
   *     claim back
   * @throws dev.octroi.payments.ledger.LedgerUnavailable if the ledger did not answer before the
   *     settlement; nothing is charged then
   */
  ChargeResult charge(
      UUID account, Usd amount, String purpose, Predicate<PaymentUse> beforeSettling);

  /** What came of charging an account. */
  sealed interface ChargeResult {

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
}
