package dev.octroi.sandbox.vendor;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Rounding as vendors show figures. */
public final class Figures {

  private Figures() {}

  /** Half up to so many decimal places. */
  public static double round(double value, int places) {
    return BigDecimal.valueOf(value).setScale(places, RoundingMode.HALF_UP).doubleValue();
  }

  /** Plain decimal text, never with an exponent. */
  public static String text(double value, int places) {
    return BigDecimal.valueOf(value).setScale(places, RoundingMode.HALF_UP).toPlainString();
  }
}
