package dev.octroi.sandbox.prediction;

import dev.octroi.sandbox.vendor.Seeded;
import java.math.BigInteger;

/**
 * Values that depend on a key and a place in its sequence alone. Unlike a stream of {@link Seeded},
 * any place can be read without those before it, as curves over time need.
 */
final class Chance {

  private static final String BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  private static final BigInteger RADIX = BigInteger.valueOf(58);

  private Chance() {}

  static long key(String text) {
    return Seeded.of(text).whole(0, Long.MAX_VALUE - 1);
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  static double unit(long key, long place) {
    return (mix(key ^ mix(place + 0x9e3779b97f4a7c15L)) >>> 11) * 0x1.0p-53;
  }

  static double between(long key, long place, double low, double high) {
    return low + unit(key, place) * (high - low);
  }

  static int below(long key, long place, int bound) {
    return (int) (unit(key, place) * bound);
  }

  /** {@code 0x} and as many hexadecimal digits. */
  static String hex(String text, int digits) {
    return "0x" + Seeded.of(text).hex(digits);
  }

  /** A decimal number of 77 digits, as outcome tokens are. */
  static String token(String text) {
    return Seeded.of(text).digits(77);
  }

  /** The vendor's identifier of an outcome over all venues. */
  static String outcomeId(String text) {
    return "px-" + new BigInteger(token(text)).toString(36).substring(0, 16);
  }

  static String base58(String text) {
    return Seeded.of(text).base58();
  }

  /** Whether the text is a base58 address of 32 bytes. */
  static boolean isBase58Address(String text) {
    if (text.length() < 32 || text.length() > 44) {
      return false;
    }
    BigInteger value = BigInteger.ZERO;
    for (int i = 0; i < text.length(); i++) {
      int digit = BASE58.indexOf(text.charAt(i));
      if (digit < 0) {
        return false;
      }
      value = value.multiply(RADIX).add(BigInteger.valueOf(digit));
    }
    return value.bitLength() <= 256;
  }

  private static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
