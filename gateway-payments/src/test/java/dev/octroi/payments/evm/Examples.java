package dev.octroi.payments.evm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/** The protocol's published payment, and payments like it. */
final class Examples {

  static final ObjectMapper JSON = new ObjectMapper();

  static final EvmAddress PAY_TO = EvmAddress.parse("0x209693Bc6afc0C5328bA36FaF03C514EF312287C");
  static final EvmAddress PAYER = EvmAddress.parse("0x857b06519E91e3A54538791bDbb0E22373e36b66");
  static final String SIGNATURE =
      "0x2d6a7588d6acca505cbf0d9a4a227e0c52c6c34008c8e8986a1283259764173608a2ce6496642e377d6da8db"
          + "bf5836e9bd15092f9ecab05ded3d6293af148b571c";
  static final long VALID_AFTER = 1740672089;
  static final long VALID_BEFORE = 1740672154;
  private static final String NONCE =
      "0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480";

  private Examples() {}

  static PaymentRequirements terms() {
    return terms(EvmToken.BASE_SEPOLIA_USDC, "10000");
  }

  static TransferAuthorization authorization(EvmAddress from, EvmAddress to) {
    return new TransferAuthorization(
        from,
        to,
        BigInteger.valueOf(10000),
        BigInteger.valueOf(VALID_AFTER),
        BigInteger.valueOf(VALID_BEFORE),
        Hex.parse(NONCE));
  }

  static SignedAuthorization published() {
    return new SignedAuthorization(authorization(PAYER, PAY_TO), Hex.parse(SIGNATURE));
  }

  static SignedAuthorization signed(
      TransferAuthorization authorization, TokenDomain domain, byte[] key) {
    byte[] signature = Signatures.pureJava().sign(authorization.digest(domain), key);
    return new SignedAuthorization(authorization, signature);
  }

  static PaymentPayload payment(SignedAuthorization signed, PaymentRequirements terms) {
    return payment(JSON.valueToTree(signed.toJson()), terms);
  }

  static PaymentPayload payment(JsonNode payload, PaymentRequirements terms) {
    ObjectNode envelope = JSON.createObjectNode().put("x402Version", 2);
    envelope.set("accepted", JSON.valueToTree(terms));
    envelope.set("payload", payload);
    return PaymentPayload.read(
        Base64.getEncoder().encodeToString(envelope.toString().getBytes(StandardCharsets.UTF_8)));
  }

  static PaymentRequirements terms(EvmToken token, String amount) {
    return new PaymentRequirements(
        "exact",
        token.network(),
        amount,
        token.address().toString(),
        PAY_TO.toString(),
        300,
        Map.of("name", token.name(), "version", token.version()));
  }
}
