package dev.octroi.sandbox.prediction;

import java.time.Instant;

/** How much a market trades: windows, charts and totals are integrals of the same flow. */
final class Volumes {

  private static final long DAY = 86_400;
  private static final double PERIOD = DAY / (2 * Math.PI);

  private Volumes() {}

  /** Dollars traded from the market's listing until a time. */
  static double total(Market market, Instant until) {
    return Numbers.usd(between(market, market.created().getEpochSecond(), until.getEpochSecond()));
  }

  /** Dollars traded over the seconds before a time. */
  static double last(Market market, Instant until, long seconds) {
    return between(market, until.getEpochSecond() - seconds, until.getEpochSecond());
  }

  /** Dollars traded in a stretch of time, none before the listing or after the end. */
  static double between(Market market, long from, long to) {
    long start = Math.max(from, market.created().getEpochSecond());
    long end = Math.min(to, market.end().getEpochSecond());
    long key = market.key();
    double perDay = Chance.between(key, 5, 3, 400) * Chance.between(key, 6, 100, 900);
    double sum = 0;
    for (long time = start; time < end; ) {
      long day = Math.floorDiv(time, DAY);
      long stop = Math.min(end, (day + 1) * DAY);
      sum +=
          perDay * Chance.between(key, day, 0.4, 1.6) * share(time - day * DAY, stop - day * DAY);
      time = stop;
    }
    return sum;
  }

  /**
   * The part of a day's trade that falls between two seconds of the day: less in the small hours.
   */
  private static double share(long from, long to) {
    return (to - from - 0.6 * PERIOD * (Math.sin(to / PERIOD) - Math.sin(from / PERIOD))) / DAY;
  }

  /** The share of the flow that buys. */
  static double buying(Market market) {
    return Chance.between(market.key(), 7, 0.42, 0.6);
  }

  static long trades(Market market, double volume) {
    return Math.round(volume / Chance.between(market.key(), 8, 40, 160));
  }

  static double liquidity(Market market, Instant now) {
    if (market.closed(now)) {
      return 0;
    }
    return Numbers.usd(
        Chance.between(market.key(), now.getEpochSecond() / 300, 0.9, 1.1)
            * Chance.between(market.key(), 9, 4_000, 320_000));
  }

  /** Dollars held in the market's outcomes at a time. */
  static double openInterest(Market market, long second) {
    if (second < market.created().getEpochSecond() || second >= market.end().getEpochSecond()) {
      return 0;
    }
    double held = Chance.between(market.key(), 10, 20_000, 2_500_000);
    long age = second - market.created().getEpochSecond();
    double grown = age / (age + 20.0 * DAY);
    return Numbers.usd(held * grown * (1 + 0.05 * Prices.noise(market.key(), DAY, second)));
  }
}
