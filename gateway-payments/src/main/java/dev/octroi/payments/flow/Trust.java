package dev.octroi.payments.flow;

import dev.octroi.payments.Usd;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.PaymentRequirements;
import java.util.OptionalLong;

/**
 * How far a payer is trusted whose balance neither facilitator nor ledger tells (money rule 8).
 *
 * @param unsettledPerPayer what such a payer may have unsettled at once
 */
record Trust(Settler settler, Usd unsettledPerPayer) {

  /**
   * The facilitator has seen that this one payment is covered and did not tell what else is, so
   * that a single one always passes.
   */
  OptionalLong in(PaymentRequirements terms, Verification.Valid payer) {
    boolean told =
        payer.spendable().isPresent() || settler.facilitator(terms.network()).settlesInLedger();
    return told
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(unsettledPerPayer.micros(), Long.parseLong(terms.amount())));
  }
}
