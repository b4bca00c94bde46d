package dev.octroi.sandbox.prediction;

import dev.octroi.sandbox.vendor.Figures;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** How the vendor writes numbers and times. */
final class Numbers {

  private Numbers() {}

  /** Dollars with two places. */
  static double usd(double value) {
    return rounded(value, 2);
  }

  /** A price or a ratio with four places. */
  static double ratio(double value) {
    return rounded(value, 4);
  }

  /** A price of 0 to 1 as dollars with four places. */
  static String dollars(double price) {
    return Figures.text(price, 4);
  }

  static double rounded(double value, int places) {
    return Figures.round(value, places);
  }

  static double quotient(long dividend, long divisor) {
    return quotient((double) dividend, (double) divisor);
  }

  static double quotient(double dividend, double divisor) {
    return divisor == 0 ? 0 : ratio(dividend / divisor);
  }

  /** ISO 8601 in UTC, to the second. */
  static String iso(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  static String iso(long second) {
    return Instant.ofEpochSecond(second).toString();
  }
}
