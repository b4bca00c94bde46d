package dev.octroi.sandbox.world;

import dev.octroi.sandbox.formula.Chance;
import dev.octroi.sandbox.formula.Item;
import dev.octroi.sandbox.formula.Values;
import java.util.function.LongToDoubleFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A trading pair on one exchange.
 *
 * @param premium from which follows by how little the exchange differs from the others
 */
record Pair(String exchange, Asset base, Asset quote, long premium) implements Item {

  private static final int SAMPLES = 6;

  static Pair of(String exchange, Asset base, Asset quote) {
    return new Pair(
        exchange, base, quote, Chance.key("premium", exchange, base.symbol(), quote.symbol()));
  }

  /** The last price at a time. */
  double price(long time) {
    return Values.significant(raw(time));
  }

  private double raw(long time) {
    double differs = 1 + 0.0006 * Chance.drift(premium, time);
    return base.raw(time) / quote.raw(time) * differs;
  }

  /** The highest or lowest price, by the sign, between two times. */
  double extreme(long from, long to, int sign) {
    LongToDoubleFunction price = time -> sign * raw(Math.min(to, time));
    long step = Math.max(1, (to - from) / SAMPLES);
    double most =
        LongStream.rangeClosed(0, SAMPLES)
            .mapToDouble(at -> price.applyAsDouble(from + at * step))
            .max()
            .orElse(0);
    return Values.significant(sign * most * (1 + sign * 0.0002));
  }

  /** Half of the distance between bid and ask, as a part of the price. */
  private double halfSpread() {
    return 0.00002 + 0.00004 * Chance.unit(premium, -1);
  }

  @Override
  public String type() {
    return "pair";
  }

  @Override
  public @Nullable Object get(String name, long time) {
    return switch (name) {
      case "exchange" -> exchange;
      case "base" -> base;
      case "quote" -> quote;
      case "price" -> price(time);
      case "raw" -> raw(time);
      case "half_spread" -> halfSpread();
      case "bid" -> Values.significant(raw(time) * (1 - halfSpread()));
      case "ask" -> Values.significant(raw(time) * (1 + halfSpread()));
      case "name" -> base.symbol() + "/" + quote.symbol();
      default -> NONE;
    };
  }
}
