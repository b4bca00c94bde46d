package dev.octroi.payments.solana;

import com.fasterxml.jackson.databind.JsonNode;

/** What the chain's own words for a failure mean for a payment. */
final class SimulationErrors {

  /** The reference implementations' reason for whatever has no better one. */
  static final String FAILED = "invalid_exact_svm_transaction_simulation_failed";

  private SimulationErrors() {}

  /** The message was carried out before, so that its answer may be owed. */
  static boolean isAlreadyProcessed(JsonNode error) {
    return error.asText().equals("AlreadyProcessed");
  }

  /** The message's blockhash is too old, or of a fork that is gone. */
  static boolean isBlockhashGone(JsonNode error) {
    return error.asText().equals("BlockhashNotFound");
  }

  /** The first account, which is ours, cannot pay the fee. */
  static boolean isFeePayerPoor(JsonNode error) {
    return error.asText().equals("InsufficientFundsForFee")
        || error.asText().equals("AccountNotFound")
        || error.path("InsufficientFundsForRent").path("account_index").asInt(-1) == 0;
  }
}
