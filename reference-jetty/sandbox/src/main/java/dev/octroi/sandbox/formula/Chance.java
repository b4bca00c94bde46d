package dev.octroi.sandbox.formula;

import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plausible values that follow from words alone: the same words give the same value in every
 * process, and any value can be had without those before it.
 */
public final class Chance {

  private static final String BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  private static final BigInteger RADIX = BigInteger.valueOf(58);
  private static final long STEP = 0x9e3779b97f4a7c15L;

  /** Wavelengths of a drift in seconds, each half as strong as the one before. */
  private static final long[] WAVES = {7_776_000, 1_209_600, 172_800, 21_600, 2_700, 300};

  private Chance() {}

  /** A number for words, which are compared by their text; whole numbers may be of any type. */
  public static long key(@Nullable Object... words) {
    long key = 0xcbf29ce484222325L;
    for (Object word : words) {
      if (word instanceof Number number) {
        key = mix(key ^ number.longValue());
      } else {
        String text = String.valueOf(word);
        for (int at = 0; at < text.length(); at++) {
          key = (key ^ text.charAt(at)) * 0x100000001b3L;
        }
        key = (key ^ 0x1f) * 0x100000001b3L;
      }
    }
    return mix(key);
  }

  /** A number from 0 (inclusive) to 1 (exclusive) for a key and a place in its sequence. */
  public static double unit(long key, long place) {
    return (mix(key ^ mix(place + STEP)) >>> 11) * 0x1.0p-53;
  }

  public static double between(long key, long place, double least, double most) {
    return least + unit(key, place) * (most - least);
  }

  /** A number whose logarithm is uniform: small ones are common, large ones rare. */
  public static double skewed(long key, long place, double least, double most) {
    return Math.exp(between(key, place, Math.log(least), Math.log(most)));
  }

  /** A whole number from 0 to less than a bound. */
  public static int below(long key, long place, int bound) {
    return (int) (unit(key, place) * bound);
  }

  public static <T> T pick(long key, long place, List<T> choices) {
    return choices.get(below(key, place, choices.size()));
  }

  /** From -1 to 1, continuous over time, with a new direction in every period. */
  public static double noise(long key, long period, long time) {
    long slot = Math.floorDiv(time, period);
    double within = (double) Math.floorMod(time, period) / period;
    double before = 2 * unit(key, slot) - 1;
    return before + (2 * unit(key, slot + 1) - 1 - before) * within;
  }

  /** A smooth curve over time, between -1 and 1 and mostly near 0. */
  public static double drift(long key, long time) {
    double sum = 0;
    double weight = 0.5;
    for (long wave : WAVES) {
      long cell = Math.floorDiv(time, wave);
      double within = (double) Math.floorMod(time, wave) / wave;
      double left = unit(key + wave, cell);
      double right = unit(key + wave, cell + 1);
      sum += weight * (2 * (left + (right - left) * within * within * (3 - 2 * within)) - 1);
      weight /= 2;
    }
    return sum;
  }

  /** Lower-case hexadecimal digits. */
  public static String hex(long key, int digits) {
    return symbols(key, digits, "0123456789abcdef");
  }

  /** Decimal digits without a leading zero. */
  public static String digits(long key, int count) {
    return (1 + below(key, -1, 9)) + symbols(key, count - 1, "0123456789");
  }

  /** {@code 0x} and 40 digits. */
  public static String address(long key) {
    return "0x" + hex(key, 40);
  }

  /** 43 base58 characters that decode to 32 bytes. */
  public static String base58(long key) {
    return BASE58.charAt(40 + below(key, -1, 18)) + symbols(key, 42, BASE58);
  }

  /** A UUID of version 4. */
  public static String uuid(long key) {
    String digits = hex(key, 32);
    return String.join(
        "-",
        digits.substring(0, 8),
        digits.substring(8, 12),
        "4" + digits.substring(13, 16),
        "89ab".charAt(below(key, -1, 4)) + digits.substring(17, 20),
        digits.substring(20));
  }

  private static String symbols(long key, int count, String alphabet) {
    StringBuilder text = new StringBuilder(count);
    for (int at = 0; at < count; at++) {
      text.append(alphabet.charAt(below(key, at, alphabet.length())));
    }
    return text.toString();
  }

  /** Whether a text is a base58 address of 32 bytes. */
  public static boolean isBase58Address(String text) {
    if (text.length() < 32 || text.length() > 44) {
      return false;
    }
    BigInteger value = BigInteger.ZERO;
    for (int at = 0; at < text.length(); at++) {
      int digit = BASE58.indexOf(text.charAt(at));
      if (digit < 0) {
        return false;
      }
      value = value.multiply(RADIX).add(BigInteger.valueOf(digit));
    }
    return value.bitLength() <= 256;
  }

  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
