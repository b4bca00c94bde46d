package dev.octroi.sandbox.world;

import dev.octroi.sandbox.formula.Chance;
import dev.octroi.sandbox.formula.Values;

/** How much a market trades: windows, charts and totals are integrals of one flow. */
final class Flow {

  private static final long DAY = 86_400;
  private static final double PERIOD = DAY / (2 * Math.PI);

  /** Dollars a day. */
  private static final double MOST = 360_000;

  private Flow() {}

  /** Dollars traded from the market's listing until a time. */
  static double total(Market market, long until) {
    return Values.round(between(market, market.event().created(), until), 2);
  }

  /** Dollars traded in a stretch of time, none before the listing or after the end. */
  static double between(Market market, long from, long to) {
    long start = Math.max(from, market.event().created());
    long end = Math.min(to, market.event().end());
    long key = market.key();
    double sum = 0;
    for (long time = start; time < end; ) {
      long day = Math.floorDiv(time, DAY);
      long stop = Math.min(end, (day + 1) * DAY);
      double part = share(time - day * DAY, stop - day * DAY);
      sum += MOST * busy(market) * Chance.between(key, day, 0.4, 1.6) * part;
      time = stop;
    }
    return sum;
  }

  /** How much a market is traded, in parts of the busiest. */
  static double busy(Market market) {
    return Chance.between(market.key(), 5, 0.0075, 1) * Chance.between(market.key(), 6, 0.1, 1);
  }

  /** The part of a day's trade between two of its seconds: less in the small hours. */
  private static double share(long from, long to) {
    return (to - from - 0.6 * PERIOD * (Math.sin(to / PERIOD) - Math.sin(from / PERIOD))) / DAY;
  }

  static double liquidity(Market market, long time) {
    if (market.isClosed(time)) {
      return 0;
    }
    double moved = Chance.between(market.key(), time / 300, 0.9, 1.1);
    return Values.round(moved * Chance.between(market.key(), 9, 4_000, 320_000), 2);
  }

  /** Dollars held in the market's outcomes at a time. */
  static double openInterest(Market market, long time) {
    long created = market.event().created();
    if (time < created || market.isClosed(time)) {
      return 0;
    }
    double held = Chance.between(market.key(), 10, 20_000, 2_500_000);
    double age = time - created;
    double moved = 1 + 0.05 * Chance.noise(market.key(), DAY, time);
    return Values.round(held * age / (age + 20.0 * DAY) * moved, 2);
  }

  /** What part of venue A's trade a venue has. */
  static double share(Market market, Venue venue) {
    long key = Chance.key(market.key(), venue);
    return venue == Venue.A ? 1 : Chance.between(key, 40, 0.05, 0.7);
  }
}
