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
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** What one simulated client has signed once and sends as often as it likes. */
record Authorization(
    String payer,
    String nonce,
    long amount,
    Instant validBefore,
    boolean forged,
    Redelivery redelivery,
    Optional<UUID> apiKey) {

  static final String NETWORK = "sim:chain";
  static final String ASSET = "dollar";
  static final String SELLER = "seller";

  PaymentPayload payload() {
    ObjectNode payload = JsonNodeFactory.instance.objectNode();
    payload.put("payer", payer).put("nonce", nonce).put("amount", amount).put("forged", forged);
    payload.put("validBefore", validBefore.toString());
    return new PaymentPayload(2, null, null, "exact", NETWORK, payload, null, new byte[0]);
  }

  static Authorization of(PaymentPayload payload) {
    JsonNode said = payload.payload();
    return new Authorization(
        said.get("payer").textValue(),
        said.get("nonce").textValue(),
        said.get("amount").longValue(),
        Instant.parse(said.get("validBefore").textValue()),
        said.get("forged").booleanValue(),
        Redelivery.STORED,
        Optional.empty());
  }

  PaymentRequirements terms() {
    return new PaymentRequirements(
        "exact", NETWORK, Long.toString(amount), ASSET, SELLER, 300, null);
  }

  /** Asks with it for what lies at a path. */
  ClaimRequest claim(String path, OptionalLong spendable) {
    return new ClaimRequest(
        new PaymentKey(NETWORK, payer, nonce),
        new RequestBinding("GET", path, "", "00".repeat(32)),
        "11".repeat(32),
        amount,
        ASSET,
        SELLER,
        validBefore,
        spendable,
        redelivery,
        new CallOrigin(apiKey, "reads", ""));
  }
}
