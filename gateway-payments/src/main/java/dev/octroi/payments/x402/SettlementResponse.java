package dev.octroi.payments.x402;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * How settlement went, as {@code PAYMENT-RESPONSE} carries it (x402 v2).
 *
 * @param success whether the money moved
 * @param transaction the transaction hash; empty where there is none
 * @param network CAIP-2 id
 * @param payer the payer's address
 * @param errorReason one of the protocol's reason strings, if it failed
 * @param amount atomic units that moved
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SettlementResponse(
    boolean success,
    String transaction,
    String network,
    @Nullable String payer,
    @Nullable String errorReason,
    @Nullable String amount) {

  /** The money moved. */
  public static SettlementResponse settled(
      String transaction, String network, String payer, String amount) {
    return new SettlementResponse(true, transaction, network, payer, null, amount);
  }

  /** It certainly did not move and will not. */
  public static SettlementResponse refused(String reason, String network, @Nullable String payer) {
    return new SettlementResponse(false, "", network, payer, reason, null);
  }
}
