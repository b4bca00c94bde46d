package dev.octroi.payments.evm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.x402.PaymentPayload;
import java.util.Optional;
import java.util.regex.Pattern;

/** Payments on EVM chains as far as they can be told without judging them. */
public final class EvmPayments {

  private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-fA-F]{40}");
  private static final Pattern NONCE = Pattern.compile("0x[0-9a-fA-F]{64}");

  private EvmPayments() {}

  /** What a payment states that it is unique by; empty where that has not the form of a key. */
  public static Optional<PaymentKey> key(PaymentPayload payment) {
    String nonce = authorization(payment).path("nonce").asText();
    return payer(payment)
        .filter(from -> NONCE.matcher(nonce).matches())
        .map(from -> new PaymentKey(payment.network(), from, nonce));
  }

  /** Whom a payment states as its payer; empty where that has not the form of an address. */
  public static Optional<String> payer(PaymentPayload payment) {
    return Optional.ofNullable(authorization(payment).path("from").textValue())
        .filter(from -> ADDRESS.matcher(from).matches());
  }

  private static JsonNode authorization(PaymentPayload payment) {
    return payment.payload().path("authorization");
  }
}
