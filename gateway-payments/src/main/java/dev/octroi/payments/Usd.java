package dev.octroi.payments;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * An exact, non-negative amount of dollars in millionths, the unit of a six-decimal stablecoin.
 *
 * <p>Prices are decimal dollars with at most six places, so that conversion to the token's atomic
 * units is the identity and never rounds (specification, payment rule 2).
 *
 * @param micros millionths of a dollar, 0 to {@value #MAX_MICROS}
 */
public record Usd(long micros) implements Comparable<Usd> {

  /** One billion dollars: far above any price, far below overflow when sums are made. */
  public static final long MAX_MICROS = 1_000_000_000_000_000L;

  public static final Usd ZERO = new Usd(0);

  private static final int DECIMALS = 6;

  private static final Pattern PLAIN = Pattern.compile("[0-9]{1,10}(\\.[0-9]{1,6})?");

  public Usd {
    if (micros < 0 || micros > MAX_MICROS) {
      throw new IllegalArgumentException(
          "an amount is 0 to 1,000,000,000 dollars, not " + micros + " millionths");
    }
  }

  /**
   * Reads decimal dollars such as {@code 0.0095}.
   *
   * @throws IllegalArgumentException if the text is not a plain decimal with at most six places
   */
  public static Usd parse(String dollars) {
    if (!PLAIN.matcher(dollars).matches()) {
      throw new IllegalArgumentException(
          "a price is plain decimal dollars with at most six places, such as 0.0095, not '"
              + dollars
              + "'");
    }
    return of(new BigDecimal(dollars));
  }

  /**
   * The same amount as an exact decimal. Throws {@link ArithmeticException} where that would round.
   */
  public static Usd of(BigDecimal dollars) {
    return new Usd(dollars.movePointRight(DECIMALS).longValueExact());
  }

  public Usd plus(Usd other) {
    return new Usd(Math.addExact(micros, other.micros));
  }

  public Usd times(int count) {
    return new Usd(Math.multiplyExact(micros, count));
  }

  /** The greater of the two. */
  public Usd max(Usd other) {
    return compareTo(other) < 0 ? other : this;
  }

  public boolean isZero() {
    return micros == 0;
  }

  /**
   * The amount in dollars with exactly six places, as the price object states it: {@code 0.009500}.
   */
  public String dollars() {
    return BigDecimal.valueOf(micros, DECIMALS).toPlainString();
  }

  /** The amount in atomic units of a six-decimal token, as the protocol states it: {@code 9500}. */
  public String atomicUnits() {
    return Long.toString(micros);
  }

  @Override
  public int compareTo(Usd other) {
    return Long.compare(micros, other.micros);
  }

  @Override
  public String toString() {
    return dollars() + " USD";
  }
}
