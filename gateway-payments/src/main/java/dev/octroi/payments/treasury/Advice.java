package dev.octroi.payments.treasury;

import dev.octroi.payments.Usd;
import dev.octroi.payments.ledger.Refund;

/** Says to the operator why a refund is not paid, and what to do about it. */
record Advice(String treasury) {

  private static final String POOR = "invalid_exact_evm_insufficient_balance";
  private static final String USED = "invalid_exact_evm_nonce_already_used";
  private static final String CANCELED = "authorization_canceled";
  private static final String FAILS = "invalid_exact_evm_transaction_simulation_failed";
  private static final String ENDED = "invalid_exact_evm_payload_authorization_valid_before";

  /** What to do where a transfer would not succeed, or has not. */
  String on(String reason, Refund refund) {
    return switch (reason) {
      case POOR ->
          "The treasury %s has less than the %s of it: send it more; then it is paid by itself."
              .formatted(treasury, new Usd(refund.amount()));
      case USED, CANCELED ->
          "The treasury %s has used or cancelled its authorization of it: look on the chain whether"
                  .formatted(treasury)
              + " the payer has the money; if not, pay it yourself. Note what paid it.";
      case FAILS ->
          "The token refuses to move it: it may be paused, or the payer or the treasury %s blocked."
                  .formatted(treasury)
              + " It is tried again every minute.";
      case ENDED ->
          "No block took it in time: see whether the relayers have ether and the fee cap is not too"
              + " low. It is tried again.";
      default -> "It cannot be sent now: " + reason + ". It is tried again.";
    };
  }
}
