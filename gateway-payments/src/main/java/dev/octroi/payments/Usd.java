package dev.octroi.payments;

import java.math.BigDecimal;
import java.math.BigInteger;
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

  /** How many decimals a dollar has here, and a token at least. */
  public static final int DECIMALS = 6;

  /** More than any token's; a price has far fewer digits than a uint256 then. */
  public static final int MAX_DECIMALS = 36;

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

  /**
   * The amount in atomic units, as the protocol states it, {@code 9500} with six decimals; never
   * rounded.
   *
   * @param decimals the token's, {@value #DECIMALS} to {@value #MAX_DECIMALS}
   */
  public String atomicUnits(int decimals) {
    return BigInteger.valueOf(micros).multiply(unit(decimals)).toString();
  }

  /**
   * What atomic units of a token are worth.
   *
   * @param decimals the token's, {@value #DECIMALS} to {@value #MAX_DECIMALS}
   * @throws ArithmeticException if that would round
   */
  public static Usd ofAtomic(BigInteger amount, int decimals) {
    BigInteger[] parts = amount.divideAndRemainder(unit(decimals));
    if (parts[1].signum() != 0) {
      throw new ArithmeticException("an amount is whole millionths of a dollar");
    }
    return new Usd(parts[0].longValueExact());
  }

  /** The millionths of a dollar that a balance in atomic units has, as far as a long can tell. */
  public static long microsIn(BigInteger balance, int decimals) {
    return balance.divide(unit(decimals)).min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
  }

  private static BigInteger unit(int decimals) {
    if (decimals < DECIMALS || decimals > MAX_DECIMALS) {
      throw new IllegalArgumentException(
          "a token has " + DECIMALS + " to " + MAX_DECIMALS + " decimals, not " + decimals);
    }
    return BigInteger.TEN.pow(decimals - DECIMALS);
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
