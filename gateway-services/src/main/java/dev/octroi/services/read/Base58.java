package dev.octroi.services.read;

import java.math.BigInteger;

/** The length of what a base58 text stands for. */
final class Base58 {

  private static final String ALPHABET =
      "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  private static final BigInteger RADIX = BigInteger.valueOf(58);
  private static final int LONGEST = 64;

  private Base58() {}

  /** Whether the text is base58 of exactly so many bytes; a leading 1 is a zero byte. */
  static boolean isOfBytes(String text, int bytes) {
    if (text.isEmpty() || text.length() > LONGEST) {
      return false;
    }
    BigInteger number = BigInteger.ZERO;
    int zeros = 0;
    for (int at = 0; at < text.length(); at++) {
      int digit = ALPHABET.indexOf(text.charAt(at));
      if (digit < 0) {
        return false;
      }
      zeros += number.signum() == 0 && digit == 0 ? 1 : 0;
      number = number.multiply(RADIX).add(BigInteger.valueOf(digit));
    }
    return zeros + (number.bitLength() + 7) / 8 == bytes;
  }
}
