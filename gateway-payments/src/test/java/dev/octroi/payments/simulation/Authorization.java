package dev.octroi.payments.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.CallOrigin;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * What one simulated client has signed once and sends as often as it likes.
 *
 * @param amount what moves by it; of a ceiling at most
 * @param into the channel that the money goes into; empty if it is the seller's
 */
record Authorization(
    String scheme,
    String payer,
    String nonce,
    long amount,
    Instant validBefore,
    boolean forged,
    Redelivery redelivery,
    Optional<UUID> apiKey,
    Optional<Into> into) {

  /**
   * A channel that money is put into.
   *
   * @param permits what the voucher beside it comes to, which the channel must hold then
   */
  record Into(String channel, long permits) {}

  static final String NETWORK = "sim:chain";
  static final String ASSET = "dollar";
  static final String SELLER = "seller";

  /** A payment of its own, of just this amount. */
  static Authorization exact(
      String payer,
      String nonce,
      Instant validBefore,
      boolean forged,
      Redelivery redelivery,
      Optional<UUID> apiKey) {
    return new Authorization(
        "exact", payer, nonce, 10_000, validBefore, forged, redelivery, apiKey, Optional.empty());
  }

  /** A ceiling, of what leaves before it is paid for. */
  static Authorization ceiling(String payer, String nonce, long amount, Instant validBefore) {
    return new Authorization(
        "upto",
        payer,
        nonce,
        amount,
        validBefore,
        false,
        Redelivery.STORED,
        Optional.empty(),
        Optional.empty());
  }

  /** What is put into a channel. */
  static Authorization deposit(
      String payer, String nonce, long amount, Instant validBefore, Into into) {
    return new Authorization(
        "batch-settlement",
        payer,
        nonce,
        amount,
        validBefore,
        false,
        Redelivery.STORED,
        Optional.empty(),
        Optional.of(into));
  }

  PaymentPayload payload() {
    ObjectNode payload = JsonNodeFactory.instance.objectNode();
    payload.put("payer", payer).put("nonce", nonce).put("amount", amount).put("forged", forged);
    payload.put("validBefore", validBefore.toString());
    into.ifPresent(it -> payload.put("channel", it.channel()).put("permits", it.permits()));
    byte[] envelope = scheme.equals("upto") ? envelope(payload) : new byte[0];
    return new PaymentPayload(2, null, null, scheme, NETWORK, payload, null, envelope);
  }

  /** What is read again where it is settled later. */
  private byte[] envelope(ObjectNode payload) {
    PaymentRequirements terms = terms();
    ObjectNode envelope = JsonNodeFactory.instance.objectNode().put("x402Version", 2);
    envelope
        .putObject("accepted")
        .put("scheme", terms.scheme())
        .put("network", terms.network())
        .put("amount", terms.amount())
        .put("asset", terms.asset())
        .put("payTo", terms.payTo())
        .put("maxTimeoutSeconds", terms.maxTimeoutSeconds());
    envelope.set("payload", payload);
    return envelope.toString().getBytes(StandardCharsets.US_ASCII);
  }

  static Authorization of(PaymentPayload payload) {
    JsonNode said = payload.payload();
    return new Authorization(
        payload.scheme(),
        said.get("payer").textValue(),
        said.get("nonce").textValue(),
        said.get("amount").longValue(),
        Instant.parse(said.get("validBefore").textValue()),
        said.get("forged").booleanValue(),
        Redelivery.STORED,
        Optional.empty(),
        Optional.ofNullable(said.get("channel"))
            .map(channel -> new Into(channel.textValue(), said.get("permits").longValue())));
  }

  /** What is left of it once it is known what it is charged. */
  Authorization charging(long charge) {
    return new Authorization(
        scheme, payer, nonce, charge, validBefore, forged, redelivery, apiKey, into);
  }

  PaymentRequirements terms() {
    return new PaymentRequirements(
        scheme, NETWORK, Long.toString(amount), ASSET, SELLER, 300, Map.of());
  }

  PaymentKey key() {
    return new PaymentKey(NETWORK, payer, nonce);
  }

  /** Asks with it for what lies at a path. */
  ClaimRequest claim(String path, OptionalLong spendable) {
    return new ClaimRequest(
            key(),
            new RequestBinding("GET", path, "", "00".repeat(32)),
            "11".repeat(32),
            amount,
            ASSET,
            SELLER,
            validBefore,
            spendable,
            redelivery)
        .by(new CallOrigin(apiKey, "reads", ""));
  }
}
