package dev.octroi.payments.evm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentPayload;
import java.util.Optional;
import java.util.regex.Pattern;

/** Payments on EVM chains as far as they can be told without judging them. */
public final class EvmPayments {

  private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-fA-F]{40}");
  private static final Pattern NONCE = Pattern.compile("0x[0-9a-fA-F]{64}");

  private static final String BY_TOKEN = "authorization";
  private static final String BY_PERMIT = "permit2Authorization";
  private static final String VOUCHER = "voucher";

  private EvmPayments() {}

  /** What a payment states that it is unique by; empty where that has not the form of a key. */
  public static Optional<PaymentKey> key(PaymentPayload payment) {
    return payer(payment)
        .flatMap(
            from -> nonce(payment).map(nonce -> new PaymentKey(payment.network(), from, nonce)));
  }

  /**
   * Whom a payment states as its payer in the ledger, a channel or an account; empty where that has
   * not the form of either.
   */
  public static Optional<String> payer(PaymentPayload payment) {
    if (payment.payload().has(VOUCHER)) {
      return Optional.ofNullable(payment.payload().path(VOUCHER).path("channelId").textValue())
          .filter(id -> NONCE.matcher(id).matches());
    }
    return Optional.ofNullable(authorization(payment).path("from").textValue())
        .filter(from -> ADDRESS.matcher(from).matches());
  }

  private static Optional<String> nonce(PaymentPayload payment) {
    JsonNode nonce = authorization(payment).path("nonce");
    if (payment.payload().has(VOUCHER)) {
      return ofChannel(payment);
    }
    if (payment.payload().has(BY_TOKEN)) {
      return Optional.of(nonce.asText()).filter(text -> NONCE.matcher(text).matches());
    }
    try {
      return Optional.of(PermitNonce.key(PayloadFields.uint256(authorization(payment), "nonce")));
    } catch (MalformedPayment e) {
      return Optional.empty();
    }
  }

  private static Optional<String> ofChannel(PaymentPayload payment) {
    if (payment.accepted() == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          ChannelNonce.key(
              PayloadFields.uint256(payment.payload().path(VOUCHER), "maxClaimableAmount"),
              PayloadFields.uint256(payment.accepted(), "amount"),
              deposit(payment.payload().at("/deposit/authorization"))));
    } catch (MalformedPayment | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<byte[]> deposit(JsonNode authorization) {
    JsonNode byToken = authorization.path("erc3009Authorization");
    if (byToken.isObject()) {
      return Optional.of(ChannelNonce.ofSalt(PayloadFields.hex256(byToken, "salt")));
    }
    JsonNode byPermit = authorization.path(BY_PERMIT);
    return byPermit.isObject()
        ? Optional.of(PermitNonce.bytes(PayloadFields.uint256(byPermit, "nonce")))
        : Optional.empty();
  }

  private static JsonNode authorization(PaymentPayload payment) {
    JsonNode payload = payment.payload();
    return payload.path(payload.has(BY_TOKEN) ? BY_TOKEN : BY_PERMIT);
  }
}
