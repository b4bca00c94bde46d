package dev.octroi.sandbox.world;

import dev.octroi.sandbox.formula.Chance;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Identifiers that look like any and say what they stand for: whatever an answer once named can be
 * looked up without having been kept, and made-up ones are found out.
 */
final class Seal {

  private static final HexFormat HEX = HexFormat.of();

  /** How many bytes a whole number takes. */
  private static final int NUMBER = 6;

  private Seal() {}

  /**
   * An identifier.
   *
   * @param kind of what, so that one of another kind is not taken for it
   * @param length in bytes; what the payload leaves is its check
   */
  static byte[] sealed(String kind, byte[] payload, int length) {
    byte[] check = bytes(Chance.key(kind, HEX.formatHex(payload)), length - payload.length);
    byte[] sealed = Arrays.copyOf(masked(kind, payload, check), length);
    System.arraycopy(check, 0, sealed, payload.length, check.length);
    return sealed;
  }

  /** What an identifier stands for; null if it is none. */
  static byte @Nullable [] opened(String kind, byte[] sealed, int payload) {
    byte[] check = Arrays.copyOfRange(sealed, payload, sealed.length);
    byte[] opened = masked(kind, Arrays.copyOf(sealed, payload), check);
    return Arrays.equals(sealed(kind, opened, sealed.length), sealed) ? opened : null;
  }

  private static byte[] masked(String kind, byte[] payload, byte[] check) {
    byte[] mask = bytes(Chance.key("mask", kind, HEX.formatHex(check)), payload.length);
    byte[] masked = payload.clone();
    for (int at = 0; at < masked.length; at++) {
      masked[at] ^= mask[at];
    }
    return masked;
  }

  private static byte[] bytes(long key, int count) {
    byte[] bytes = new byte[count];
    for (int at = 0; at < count; at++) {
      bytes[at] = (byte) Chance.below(key, at, 256);
    }
    return bytes;
  }

  /** An identifier of a whole number below 2 to the 48th. */
  static byte[] sealed(String kind, long number, int length) {
    byte[] payload = new byte[NUMBER];
    for (int at = 0; at < NUMBER; at++) {
      payload[at] = (byte) (number >>> (8 * (NUMBER - 1 - at)));
    }
    return sealed(kind, payload, length);
  }

  /** The whole number of an identifier; -1 if it is none. */
  static long number(String kind, byte[] sealed) {
    byte[] opened = sealed.length > NUMBER ? opened(kind, sealed, NUMBER) : null;
    return opened == null ? -1 : new BigInteger(1, opened).longValue();
  }

  /** The bytes that a number's digits stand for; null if they are none, or of more bytes. */
  static byte @Nullable [] bytes(String digits, int radix, int length) {
    try {
      byte[] given = new BigInteger(digits, radix).toByteArray();
      byte[] bytes = new byte[length];
      int sign = given.length > length && given[0] == 0 ? 1 : 0;
      int count = given.length - sign;
      if (count > length) {
        return null;
      }
      System.arraycopy(given, sign, bytes, length - count, count);
      return bytes;
    } catch (NumberFormatException malformed) {
      return null;
    }
  }
}
