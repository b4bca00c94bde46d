package dev.octroi.sandbox.world;

import dev.octroi.sandbox.formula.Row;
import dev.octroi.sandbox.formula.Values;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** What fills earned: the block of figures that the vendors' wallet endpoints share. */
final class Metrics {

  private static final double HIGHEST_FACTOR = 99.99;

  /** What the venue gives back of its fees. */
  private static final double REFUNDED = 0.1;

  private Metrics() {}

  static Row of(List<Fill> fills) {
    Predicate<Fill> buys = fill -> fill.kind() == Fill.Kind.BUY;
    Predicate<Fill> sells = fill -> fill.kind() == Fill.Kind.SELL;
    double realized = sum(fills, any -> true, Fill::realized);
    double bought = sum(fills, buys, Fill::usd);
    double sold = sum(fills, sells, Fill::usd);
    double fees = sum(fills, any -> true, Fill::fee);
    long wins = fills.stream().filter(fill -> fill.realized() > 0).count();
    long closed = fills.stream().filter(buys.negate()).count();
    double gains = sum(fills, fill -> fill.realized() > 0, Fill::realized);
    double lost = gains - realized;
    double factor = lost == 0 && gains > 0 ? HIGHEST_FACTOR : quotient(gains, lost);
    return Row.of("realized_pnl", usd(realized), "volume", usd(bought + sold))
        .with("roi", quotient(usd(realized), Math.max(bought, 1)))
        .with("trades", fills.stream().filter(Fill::isTrade).count())
        .with("wins", wins)
        .with("losses", closed - wins)
        .with("win_rate", quotient((double) wins, (double) closed))
        .with("profit_factor", Math.min(HIGHEST_FACTOR, factor))
        .with("positions_closed", closed)
        .with("avg_buy_price", quotient(bought, sum(fills, buys, Fill::shares)))
        .with("avg_sell_price", quotient(sold, sum(fills, sells, Fill::shares)))
        .with("fees_paid", usd(fees))
        .with("fees_refunded", usd(REFUNDED * fees));
  }

  /** The longest runs of closed trades with a gain, or without. */
  static long streak(List<Fill> fills, boolean gains) {
    long longest = 0;
    long run = 0;
    for (Fill fill : fills) {
      if (fill.kind() != Fill.Kind.BUY) {
        run = fill.realized() > 0 == gains ? run + 1 : 0;
        longest = Math.max(longest, run);
      }
    }
    return longest;
  }

  private static double sum(
      List<Fill> fills, Predicate<Fill> which, ToDoubleFunction<Fill> figure) {
    return fills.stream().filter(which).mapToDouble(figure).sum();
  }

  private static double usd(double value) {
    return Values.round(value, 2);
  }

  private static double quotient(double dividend, double divisor) {
    return divisor == 0 ? 0 : Values.round(dividend / divisor, 4);
  }
}
