package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Drift;
import dev.octroi.sandbox.vendor.Magic;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * A trading pair on one exchange.
 *
 * @param text as the caller wrote it, BASE/QUOTE
 */
record Pair(String exchange, String text, Token base, Token quote) {

  static final List<String> QUOTES = List.of("USDT", "USDC", "BTC");

  private static final Pattern FORM = Pattern.compile("([A-Z0-9]{1,12})/([A-Z0-9]{1,12})");

  /** Samples within a candle. */
  private static final int SAMPLES = 6;

  /**
   * Reads a pair; perpetual contracts may end in {@code :USDT}.
   *
   * @throws Refusal 400 for the form, 404 for a symbol that does not exist
   */
  static Pair of(Ask ask) {
    String text = ask.text("pair");
    if (Magic.in(text).isPresent()) {
      return new Pair(ask.text("exchange"), text, Token.of("BTC"), Token.of("USDT"));
    }
    Matcher matcher = FORM.matcher(text.replaceFirst(":[A-Z]+$", ""));
    if (!matcher.matches()) {
      throw Refusal.badRequest("Pair must be BASE/QUOTE");
    }
    String quote = matcher.group(2).equals("USD") ? "USDC" : matcher.group(2);
    return new Pair(ask.text("exchange"), text, Token.of(matcher.group(1)), Token.of(quote));
  }

  /** The last price at a time: each exchange differs by a few hundredths of a percent. */
  double price(long second) {
    return curve().applyAsDouble(second);
  }

  private LongToDoubleFunction curve() {
    LongToDoubleFunction dividend = Prices.curve(base);
    LongToDoubleFunction divisor = Prices.curve(quote);
    Drift premium = new Drift("premium:" + exchange + text);
    return second ->
        dividend.applyAsDouble(second)
            / divisor.applyAsDouble(second)
            * (1 + premium.at(second) * 0.0006);
  }

  /** The highest (or lowest, by the sign) price between two times, a little beyond the samples. */
  double extreme(long from, long to, int sign) {
    long step = Math.max(1, (to - from) / SAMPLES);
    LongToDoubleFunction price = curve();
    double most =
        LongStream.rangeClosed(0, SAMPLES)
            .mapToDouble(index -> sign * price.applyAsDouble(Math.min(to, from + index * step)))
            .max()
            .orElse(0);
    return sign * most * (1 + sign * 0.0002);
  }

  /** Half of the distance between bid and ask, as a part of the price. */
  double halfSpread() {
    return 0.00002 + 0.00004 * Math.abs(new Drift("spread:" + exchange + text).at(0));
  }
}
