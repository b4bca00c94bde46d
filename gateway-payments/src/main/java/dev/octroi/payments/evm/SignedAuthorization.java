package dev.octroi.payments.evm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.x402.MalformedPayment;
import java.util.Map;

/**
 * The payload of the exact scheme on EVM: an authorization and its signature, not verified yet.
 *
 * @param authorization what was signed
 * @param signature the signature's bytes, of any length
 */
public record SignedAuthorization(TransferAuthorization authorization, byte[] signature) {

  /**
   * Reads the payload's members.
   *
   * @throws MalformedPayment if one is missing, has another type, is not hex of its length or not
   *     the decimal digits of a uint256
   */
  public static SignedAuthorization read(JsonNode payload) {
    JsonNode terms = payload.path("authorization");
    if (!terms.isObject()) {
      throw new MalformedPayment("The payment has no authorization.");
    }
    byte[] nonce = PayloadFields.bytes(terms, "nonce");
    if (nonce.length != TransferAuthorization.NONCE_BYTES) {
      throw new MalformedPayment("In the payment, nonce does not have 32 bytes.");
    }
    TransferAuthorization authorization =
        new TransferAuthorization(
            PayloadFields.address(terms, "from"),
            PayloadFields.address(terms, "to"),
            PayloadFields.uint256(terms, "value"),
            PayloadFields.uint256(terms, "validAfter"),
            PayloadFields.uint256(terms, "validBefore"),
            nonce);
    return new SignedAuthorization(authorization, PayloadFields.bytes(payload, "signature"));
  }

  /** The payload as it goes over the wire. */
  public Map<String, Object> toJson() {
    return Map.of(
        "signature",
        Hex.of(signature),
        "authorization",
        Map.of(
            "from", authorization.from().toString(),
            "to", authorization.to().toString(),
            "value", authorization.value().toString(),
            "validAfter", authorization.validAfter().toString(),
            "validBefore", authorization.validBefore().toString(),
            "nonce", authorization.nonceHex()));
  }
}
