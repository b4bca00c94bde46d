package dev.octroi.payments.evm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.x402.MalformedPayment;
import java.math.BigInteger;
import java.util.Map;

/**
 * The payload of the exact scheme on EVM: an authorization and its signature, not verified yet.
 *
 * @param authorization what was signed
 * @param signature the signature's bytes, of any length
 */
public record SignedAuthorization(TransferAuthorization authorization, byte[] signature) {

  private static final BigInteger UINT256_END = BigInteger.ONE.shiftLeft(256);

  /** Digits of the largest number of 256 bits. */
  private static final int MAX_DIGITS = 78;

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
    byte[] nonce = bytes(terms, "nonce");
    if (nonce.length != TransferAuthorization.NONCE_BYTES) {
      throw new MalformedPayment("In the payment, nonce does not have 32 bytes.");
    }
    TransferAuthorization authorization =
        new TransferAuthorization(
            address(terms, "from"),
            address(terms, "to"),
            uint256(terms, "value"),
            uint256(terms, "validAfter"),
            uint256(terms, "validBefore"),
            nonce);
    return new SignedAuthorization(authorization, bytes(payload, "signature"));
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

  private static EvmAddress address(JsonNode object, String name) {
    try {
      return EvmAddress.parse(text(object, name));
    } catch (IllegalArgumentException e) {
      throw new MalformedPayment("In the payment, " + name + " is not an address.");
    }
  }

  private static byte[] bytes(JsonNode object, String name) {
    try {
      return Hex.parse(text(object, name));
    } catch (IllegalArgumentException e) {
      throw new MalformedPayment("In the payment, " + name + " is not hex.");
    }
  }

  private static BigInteger uint256(JsonNode object, String name) {
    String digits = text(object, name);
    boolean decimal =
        !digits.isEmpty()
            && digits.length() <= MAX_DIGITS
            && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    BigInteger value = decimal ? new BigInteger(digits) : UINT256_END;
    if (value.compareTo(UINT256_END) >= 0) {
      throw new MalformedPayment("In the payment, " + name + " is not a decimal uint256.");
    }
    return value;
  }

  private static String text(JsonNode object, String name) {
    JsonNode node = object.path(name);
    if (!node.isTextual()) {
      throw new MalformedPayment("In the payment, " + name + " is not a string.");
    }
    return node.textValue();
  }
}
