package dev.octroi.services.language.catalogue;

import java.math.BigDecimal;

/**
 * What a million tokens cost, in millionths of a dollar, so that every price is exact.
 *
 * @param input of what the model reads
 * @param output of what it writes, its reasoning included
 * @param cacheRead of what it finds in the vendor's cache
 * @param cacheWrite of what it leaves there
 */
public record Rates(long input, long output, long cacheRead, long cacheWrite) {

  /** A million dollars per million tokens: far above any model, far below overflow. */
  public static final long MAX = 1_000_000_000_000L;

  private static final int DECIMALS = 6;

  public Rates {
    for (long rate : new long[] {input, output, cacheRead, cacheWrite}) {
      if (rate < 0 || rate > MAX) {
        throw new IllegalArgumentException("a rate is 0 to 1,000,000 dollars per million tokens");
      }
    }
  }

  /** Rates of a model without a cache price: what is cached costs what is read. */
  public static Rates of(String input, String output) {
    long read = micros(new BigDecimal(input));
    return new Rates(read, micros(new BigDecimal(output)), read, read);
  }

  /**
   * Dollars as millionths.
   *
   * @throws ArithmeticException if there are more than six decimal places
   */
  static long micros(BigDecimal dollars) {
    return dollars.movePointRight(DECIMALS).longValueExact();
  }

  /** Whether a call costs nothing, whatever it does. */
  public boolean free() {
    return input == 0 && output == 0 && cacheRead == 0 && cacheWrite == 0;
  }
}
