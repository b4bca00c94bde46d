package dev.octroi.sandbox.vendor;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A stream of plausible values that depends on its seed alone: the same words give the same values
 * in every process. A time bucket, where values should move, is one of the words. Not thread-safe;
 * made where it is used.
 */
public final class Seeded {

  private static final String BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

  private final SplittableRandom random;

  private Seeded(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** The stream of these words, compared by their text. */
  public static Seeded of(Object... words) {
    return new Seeded(hash(words));
  }

  /** FNV-1a over the words' UTF-8 with separators: stable between versions of Java. */
  static long hash(Object... words) {
    long hash = 0xcbf29ce484222325L;
    for (Object word : words) {
      for (byte octet : String.valueOf(word).getBytes(StandardCharsets.UTF_8)) {
        hash = (hash ^ (octet & 0xff)) * 0x100000001b3L;
      }
      hash = (hash ^ 0x1f) * 0x100000001b3L;
    }
    return hash;
  }

  /** A number of at least {@code least} and less than {@code most}. */
  public double uniform(double least, double most) {
    return least + (most - least) * random.nextDouble();
  }

  /** As {@link #uniform}, rounded to so many decimal places. */
  public double uniform(double least, double most, int places) {
    return Figures.round(uniform(least, most), places);
  }

  public double normal(double mean, double deviation) {
    double radius = Math.sqrt(-2 * Math.log(1 - random.nextDouble()));
    return mean + deviation * radius * Math.cos(2 * Math.PI * random.nextDouble());
  }

  /** A number whose logarithm is uniform: small ones are common, large ones rare. */
  public double skewed(double least, double most, int places) {
    return Figures.round(Math.exp(uniform(Math.log(least), Math.log(most))), places);
  }

  /** A whole number between the two, both included. */
  public long whole(long least, long most) {
    return random.nextLong(least, most + 1);
  }

  public int index(int size) {
    return random.nextInt(size);
  }

  public boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  public <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** Lower-case hexadecimal digits. */
  public String hex(int digits) {
    StringBuilder text = new StringBuilder(digits);
    for (int at = 0; at < digits; at++) {
      text.append(Character.forDigit(random.nextInt(16), 16));
    }
    return text.toString();
  }

  /** 0x and 40 digits. */
  public String address() {
    return "0x" + hex(40);
  }

  /** 0x and 64 digits. */
  public String transactionHash() {
    return "0x" + hex(64);
  }

  /** Decimal digits without a leading zero. */
  public String digits(int count) {
    StringBuilder text = new StringBuilder(count).append(1 + random.nextInt(9));
    while (text.length() < count) {
      text.append(random.nextInt(10));
    }
    return text.toString();
  }

  /** 43 base58 characters that decode to 32 bytes. */
  public String base58() {
    StringBuilder text = new StringBuilder(43).append(BASE58.charAt(40 + random.nextInt(18)));
    while (text.length() < 43) {
      text.append(BASE58.charAt(random.nextInt(BASE58.length())));
    }
    return text.toString();
  }

  /** A random UUID of version 4 in text form. */
  public String uuid() {
    String variant = Character.toString("89ab".charAt(random.nextInt(4)));
    return hex(8) + '-' + hex(4) + "-4" + hex(3) + '-' + variant + hex(3) + '-' + hex(12);
  }
}
