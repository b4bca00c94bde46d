package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.Hex;
import java.math.BigInteger;

/** Numbers and bytes in a node's answers; what is neither makes the answer unusable. */
public final class Quantities {

  private static final int MAX_DIGITS = 64;

  private Quantities() {}

  /**
   * A number as nodes spell it: {@code 0x} and hex digits without leading zeros.
   *
   * @throws ChainUnavailable if it is none
   */
  public static BigInteger of(JsonNode quantity) {
    String text = quantity.asText("");
    if (!text.startsWith("0x") || text.length() < 3 || text.length() > 2 + MAX_DIGITS) {
      throw new ChainUnavailable("a node answered with what is no number");
    }
    try {
      return new BigInteger(text.substring(2), 16);
    } catch (NumberFormatException e) {
      throw new ChainUnavailable("a node answered with what is no number");
    }
  }

  /**
   * A number that fits into a long, such as a block's.
   *
   * @throws ChainUnavailable if it is none
   */
  public static long small(JsonNode quantity) {
    BigInteger number = of(quantity);
    if (number.bitLength() >= Long.SIZE) {
      throw new ChainUnavailable("a node answered with a number that is too large");
    }
    return number.longValue();
  }

  /** The spelling of a number. */
  public static String hex(long number) {
    return "0x" + Long.toHexString(number);
  }

  /**
   * Bytes as nodes spell them.
   *
   * @throws ChainUnavailable if it is none
   */
  static byte[] bytes(JsonNode data) {
    try {
      return Hex.parse(data.asText(""));
    } catch (IllegalArgumentException e) {
      throw new ChainUnavailable("a node answered with what is no data");
    }
  }
}
