package dev.octroi.services.language.price;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.language.Reply.Usage;
import dev.octroi.services.language.catalogue.Model;
import dev.octroi.services.language.catalogue.Model.Caching;
import dev.octroi.services.language.catalogue.Model.Rates;
import java.math.BigInteger;

/**
 * What is asked for a call of a model before it runs, and the most that it is charged: estimated
 * input and largest output at the model's rates, rounded up to a millionth of a dollar, at least a
 * tenth of a cent, and the operator's surcharge for features of the vendor's. A model whose rates
 * are all zero is free but for the surcharge.
 *
 * @param rates of the model
 * @param tokens what the tokens cost at most, in millionths of a dollar
 * @param surcharge what the features cost
 */
public record TokenQuote(Rates rates, long tokens, Surcharge surcharge) {

  /** The least that a call costs which is not free: 0.001 dollars. */
  public static final long LEAST_MICROS = 1_000;

  /** Rates are for a million tokens. */
  private static final BigInteger TOKENS = BigInteger.valueOf(1_000_000);

  private static final BigInteger LEAST = BigInteger.valueOf(LEAST_MICROS);

  /**
   * The quote of a call.
   *
   * @param inputTokens counted or estimated, never fewer than there are
   * @param outputTokens the most that the call may write
   * @param caching what the caller marked; all input is quoted at the dearest rate of it
   * @param surcharge for features of the vendor's
   * @throws Failure 503 {@code price_unavailable} if the catalogue has no price of the model
   */
  public static TokenQuote of(
      Model model, long inputTokens, long outputTokens, Caching caching, Surcharge surcharge) {
    Rates rates =
        model
            .price()
            .orElseThrow(
                () ->
                    new Failure(
                        ErrorCode.PRICE_UNAVAILABLE,
                        "There is no price for the model " + model.id()));
    Rates dearest = new Rates(rates.dearestInput(caching), rates.output(), rates.cacheRead(), 0);
    Usage most = new Usage(inputTokens, outputTokens, 0, 0, 0);
    long tokens = rates.free() ? 0 : cost(dearest, most).longValueExact();
    return new TokenQuote(rates, tokens, surcharge);
  }

  /** What is asked, in millionths of a dollar. */
  public long micros() {
    return Math.addExact(tokens, surcharge.most());
  }

  /** What the usage costs in millionths of a dollar, never more than the quote. */
  public long charge(Usage usage) {
    return cost(rates, usage).min(BigInteger.valueOf(tokens)).longValueExact()
        + surcharge.charge(usage);
  }

  /** Exact, and rounded up once for the whole: an upstream's figures may be anything. */
  private static BigInteger cost(Rates rates, Usage usage) {
    if (rates.free()) {
      return BigInteger.ZERO;
    }
    BigInteger millionths =
        product(usage.input(), rates.input())
            .add(product(usage.output(), rates.output()))
            .add(product(usage.cacheRead(), rates.cacheRead()))
            .add(product(usage.cacheWrite(), rates.cacheWrite()))
            .add(product(usage.cacheWriteHour(), rates.cacheWriteHour()));
    return millionths.add(TOKENS).subtract(BigInteger.ONE).divide(TOKENS).max(LEAST);
  }

  private static BigInteger product(long tokens, long rate) {
    return BigInteger.valueOf(Math.max(0, tokens)).multiply(BigInteger.valueOf(rate));
  }
}
