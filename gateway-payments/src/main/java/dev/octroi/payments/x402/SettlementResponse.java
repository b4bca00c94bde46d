package dev.octroi.payments.x402;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How settlement went, as {@code PAYMENT-RESPONSE} carries it (x402 v2).
 *
 * @param success whether the money moved
 * @param transaction the transaction hash; empty where there is none
 * @param network CAIP-2 id; in an answer to a v1 client the name that v1 has for it
 * @param payer the payer's address
 * @param errorReason one of the protocol's reason strings, if it failed
 * @param amount atomic units that moved
 * @param extensions what extensions of the protocol add, by their names
 * @param extra what the scheme adds
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SettlementResponse(
    boolean success,
    String transaction,
    String network,
    @Nullable String payer,
    @Nullable String errorReason,
    @Nullable String amount,
    @Nullable Map<String, Object> extensions,
    @Nullable Map<String, Object> extra) {

  /** Without extensions, of a scheme that adds nothing. */
  public SettlementResponse(
      boolean success,
      String transaction,
      String network,
      @Nullable String payer,
      @Nullable String errorReason,
      @Nullable String amount) {
    this(success, transaction, network, payer, errorReason, amount, null, null);
  }

  /** The money moved. */
  public static SettlementResponse settled(
      String transaction, String network, String payer, String amount) {
    return new SettlementResponse(true, transaction, network, payer, null, amount);
  }

  /** It certainly did not move and will not. */
  public static SettlementResponse refused(String reason, String network, @Nullable String payer) {
    return new SettlementResponse(false, "", network, payer, reason, null);
  }

  /** The same with what extensions add. */
  public SettlementResponse with(Map<String, Object> added) {
    return added.isEmpty()
        ? this
        : new SettlementResponse(
            success, transaction, network, payer, errorReason, amount, Map.copyOf(added), extra);
  }

  /** The same with what the scheme adds. */
  public SettlementResponse extra(Map<String, Object> added) {
    return new SettlementResponse(
        success, transaction, network, payer, errorReason, amount, extensions, Map.copyOf(added));
  }

  /** The same as a v1 client reads it, who knows networks by their former names. */
  public SettlementResponse forVersion1() {
    return new SettlementResponse(
        success,
        transaction,
        FormerNetwork.word(network).orElse(network),
        payer,
        errorReason,
        amount,
        extensions,
        extra);
  }

  /** The value of {@code PAYMENT-RESPONSE}. */
  public String header() {
    return Json.encoded(this);
  }

  /**
   * Reads the value of {@code PAYMENT-RESPONSE}.
   *
   * @throws MalformedPayment if it is not one
   */
  public static SettlementResponse read(String header) {
    JsonNode root = Json.readObject(Json.decoded(header, PaymentPayload.MAX_HEADER_CHARS));
    JsonNode success = root.path("success");
    if (!success.isBoolean()) {
      throw new MalformedPayment("In the payment, success is not a boolean.");
    }
    return new SettlementResponse(
        success.booleanValue(),
        Json.text(root, "transaction"),
        Json.text(root, "network"),
        Json.optionalText(root, "payer"),
        Json.optionalText(root, "errorReason"),
        Json.optionalText(root, "amount"),
        Json.members(Json.optionalObject(root, "extensions")),
        Json.members(Json.optionalObject(root, "extra")));
  }
}
