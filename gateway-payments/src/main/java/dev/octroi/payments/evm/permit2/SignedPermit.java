package dev.octroi.payments.evm.permit2;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.PayloadFields;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.x402.MalformedPayment;
import java.util.HashMap;
import java.util.Map;

/**
 * The payload of a payment by Permit2: a permit and its signature, not verified yet.
 *
 * @param permit what was signed
 * @param signature the signature's bytes, of any length
 */
public record SignedPermit(TransferPermit permit, byte[] signature) {

  private static final String MEMBER = "permit2Authorization";
  private static final String WITNESS = "witness";
  private static final String FACILITATOR = "facilitator";

  /** Whether a payload is of this method, and of the upto scheme where it must be. */
  static boolean isIn(JsonNode payload, boolean upto) {
    JsonNode terms = payload.path(MEMBER);
    return terms.isObject() && (!upto || terms.path(WITNESS).has(FACILITATOR));
  }

  /**
   * Reads the payload's members. Its spender says which witness was signed.
   *
   * @throws MalformedPayment if one is missing, has another type or another form
   */
  public static SignedPermit read(JsonNode payload) {
    JsonNode terms = payload.path(MEMBER);
    JsonNode permitted = terms.path("permitted");
    JsonNode witness = terms.path(WITNESS);
    EvmAddress spender = PayloadFields.address(terms, "spender");
    boolean upto = spender.equals(Permit2.UPTO_PROXY) && witness.has(FACILITATOR);
    return new SignedPermit(
        new TransferPermit(
            PayloadFields.address(terms, "from"),
            PayloadFields.address(permitted, "token"),
            PayloadFields.uint256(permitted, "amount"),
            spender,
            PayloadFields.uint256(terms, "nonce"),
            PayloadFields.uint256(terms, "deadline"),
            PayloadFields.address(witness, "to"),
            PayloadFields.uint256(witness, "validAfter"),
            upto ? PayloadFields.address(witness, FACILITATOR) : null),
        PayloadFields.bytes(payload, "signature"));
  }

  /** The same with the last byte of a key's signature as contracts know it, 27 or 28. */
  public SignedPermit ofKey() {
    return new SignedPermit(permit, Signatures.spelled(signature));
  }

  /** The payload as it goes over the wire. */
  public Map<String, Object> toJson() {
    Map<String, Object> witness = new HashMap<>();
    witness.put("to", permit.payTo().toString());
    witness.put("validAfter", permit.validAfter().toString());
    if (permit.facilitator() != null) {
      witness.put(FACILITATOR, permit.facilitator().toString());
    }
    Map<String, Object> authorization =
        Map.of(
            "from",
            permit.from().toString(),
            "permitted",
            Map.of("token", permit.token().toString(), "amount", permit.amount().toString()),
            "spender",
            permit.spender().toString(),
            "nonce",
            permit.nonce().toString(),
            "deadline",
            permit.deadline().toString(),
            WITNESS,
            witness);
    return Map.of("signature", Hex.of(signature), MEMBER, authorization);
  }
}
