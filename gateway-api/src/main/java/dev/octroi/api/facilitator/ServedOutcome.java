package dev.octroi.api.facilitator;

import dev.octroi.payments.x402.SettlementResponse;
import org.jspecify.annotations.Nullable;

/**
 * How settling another server's payment went.
 *
 * @param transaction empty where there is none
 * @param reason null for a success
 */
record ServedOutcome(
    String transaction, @Nullable String reason, String payer, @Nullable String amount) {

  /** Indeterminate, to the server that asks: never a failure, and good to be asked again. */
  static final String PENDING = "settlement_pending";

  /** No transaction was sent. */
  static final String NOT_SENT = "settlement_not_sent";

  static ServedOutcome settled(String transaction, String payer, String amount) {
    return new ServedOutcome(transaction, null, payer, amount);
  }

  static ServedOutcome failed(String reason, String payer) {
    return new ServedOutcome("", reason, payer, null);
  }

  static ServedOutcome pending(@Nullable String transaction, String payer) {
    return new ServedOutcome(transaction == null ? "" : transaction, PENDING, payer, null);
  }

  /** The answer, under the asker's name for the network. */
  SettlementResponse on(String network) {
    return new SettlementResponse(reason == null, transaction, network, payer, reason, amount);
  }
}
