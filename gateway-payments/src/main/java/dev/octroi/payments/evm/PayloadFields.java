package dev.octroi.payments.evm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.x402.MalformedPayment;
import java.math.BigInteger;

/**
 * Reads the members of payloads that strangers wrote. Its methods throw {@link MalformedPayment}
 * where a member is missing, has another type or another form.
 */
public final class PayloadFields {

  private static final BigInteger UINT256_END = BigInteger.ONE.shiftLeft(256);

  /** Digits of the largest number of 256 bits. */
  private static final int MAX_DIGITS = 78;

  private PayloadFields() {}

  /** An address of 0x and 40 hex digits. */
  public static EvmAddress address(JsonNode object, String name) {
    try {
      return EvmAddress.parse(text(object, name));
    } catch (IllegalArgumentException e) {
      throw new MalformedPayment("In the payment, " + name + " is not an address.");
    }
  }

  /** Bytes of any number. */
  public static byte[] bytes(JsonNode object, String name) {
    try {
      return Hex.parse(text(object, name));
    } catch (IllegalArgumentException e) {
      throw new MalformedPayment("In the payment, " + name + " is not hex.");
    }
  }

  /** A number of 0 to 2^256 - 1 in decimal digits. */
  public static BigInteger uint256(JsonNode object, String name) {
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

  /** A number of 0 to 2^256 - 1 in hex, of at most 32 bytes. */
  public static BigInteger hex256(JsonNode object, String name) {
    byte[] bytes = bytes(object, name);
    if (bytes.length > Keccak.BYTES) {
      throw new MalformedPayment("In the payment, " + name + " exceeds 32 bytes.");
    }
    return new BigInteger(1, bytes);
  }

  private static String text(JsonNode object, String name) {
    JsonNode node = object.path(name);
    if (!node.isTextual()) {
      throw new MalformedPayment("In the payment, " + name + " is not a string.");
    }
    return node.textValue();
  }
}
