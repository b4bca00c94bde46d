package dev.octroi.sandbox.prediction;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What a set of fills earned: the block of figures that the wallet endpoints share. */
final class Metrics {

  /** Seconds of the windows, in the order of a wallet's profile. */
  static final Map<String, Long> WINDOWS =
      Map.of("1d", 86_400L, "7d", 604_800L, "30d", 2_592_000L, "all_time", Long.MAX_VALUE);

  private static final double HIGHEST_FACTOR = 99.99;

  private final List<Fill> fills;

  Metrics(List<Fill> fills) {
    this.fills = fills;
  }

  /** The figures of the fills in a window that ends now. */
  static Metrics in(String window, List<Fill> fills, Instant now) {
    long seconds = WINDOWS.getOrDefault(window, Long.MAX_VALUE);
    long from = seconds == Long.MAX_VALUE ? Long.MIN_VALUE : now.getEpochSecond() - seconds;
    return new Metrics(fills.stream().filter(fill -> fill.time() > from).toList());
  }

  List<Fill> fills() {
    return fills;
  }

  boolean none() {
    return fills.isEmpty();
  }

  double realized() {
    return Numbers.usd(fills.stream().mapToDouble(Fill::realized).sum());
  }

  double volume() {
    return volume(Fill::trade);
  }

  double bought() {
    return volume(fill -> fill.kind() == Fill.Kind.BUY);
  }

  double sold() {
    return volume(fill -> fill.kind() == Fill.Kind.SELL);
  }

  private double volume(Predicate<Fill> which) {
    return Numbers.usd(fills.stream().filter(which).mapToDouble(Fill::usd).sum());
  }

  private long count(Predicate<Fill> which) {
    return fills.stream().filter(which).count();
  }

  private double price(Fill.Kind kind) {
    double shares =
        fills.stream().filter(fill -> fill.kind() == kind).mapToDouble(Fill::shares).sum();
    return Numbers.quotient(volume(fill -> fill.kind() == kind), shares);
  }

  double edge() {
    double sell = price(Fill.Kind.SELL);
    return sell == 0 ? 0 : Numbers.ratio(sell - price(Fill.Kind.BUY));
  }

  long markets() {
    return fills.stream().map(Fill::market).distinct().count();
  }

  Row row() {
    double fees = fills.stream().mapToDouble(Fill::fee).sum();
    long wins = count(fill -> fill.realized() > 0);
    long losses = count(fill -> fill.kind() != Fill.Kind.BUY) - wins;
    double gains = fills.stream().mapToDouble(fill -> Math.max(0, fill.realized())).sum();
    double lost = -fills.stream().mapToDouble(fill -> Math.min(0, fill.realized())).sum();
    double factor = lost == 0 && gains > 0 ? HIGHEST_FACTOR : Numbers.quotient(gains, lost);
    return Row.of("realized_pnl", realized(), "volume", volume())
        .with("roi", Numbers.quotient(realized(), Math.max(bought(), 1)))
        .with("trades", count(Fill::trade))
        .with("wins", wins)
        .with("losses", losses)
        .with("win_rate", Numbers.quotient(wins, wins + losses))
        .with("profit_factor", Math.min(HIGHEST_FACTOR, factor))
        .with("positions_closed", wins + losses)
        .with("avg_buy_price", price(Fill.Kind.BUY))
        .with("avg_sell_price", price(Fill.Kind.SELL))
        .with("fees_paid", Numbers.usd(fees))
        .with("fees_refunded", Numbers.usd(Fill.REFUNDED * fees));
  }
}
