package dev.octroi.sandbox.prediction;

import java.time.Instant;

/** What the outcomes cost at any time: every endpoint that names a price asks here. */
final class Prices {

  /** Prices move in buckets of so many seconds. */
  static final long BUCKET = 5;

  private static final double LOWEST = 0.02;
  private static final double HIGHEST = 0.98;

  /** Periods in seconds and how far the price may swing in each. */
  private static final long[] PERIODS = {20 * 86_400, 86_400, 3_600, 300, 60};

  private static final double[] SWINGS = {0.16, 0.05, 0.02, 0.008, 0.004};

  private Prices() {}

  /** The price of a side at venue A; 1 or 0 once the market is resolved. */
  static double of(Market market, boolean yesSide, Instant time) {
    return of(market, Venue.A, yesSide, time.getEpochSecond());
  }

  static double of(Market market, Venue venue, boolean yesSide, long second) {
    double yes =
        second >= market.end().getEpochSecond()
            ? (market.comesTrue() ? 1 : 0)
            : trading(market, venue, second);
    return yesSide ? yes : Numbers.rounded(1 - yes, 3);
  }

  private static double trading(Market market, Venue venue, long second) {
    long time = second - Math.floorMod(second, BUCKET);
    double room = 4 * market.chance() * (1 - market.chance());
    double price = market.chance() + room * wander(market.key(), time);
    if (venue != Venue.A) {
      price += 0.05 * noise(market.key() + venue.letter(), 6 * 3_600, time);
    }
    return Numbers.rounded(Math.max(LOWEST, Math.min(HIGHEST, price)), 3);
  }

  /** A sum of swings of several periods, mostly within a sixth. */
  static double wander(long key, long time) {
    double sum = 0;
    for (int i = 0; i < PERIODS.length; i++) {
      sum += SWINGS[i] * noise(key + i, PERIODS[i], time);
    }
    return sum;
  }

  /** From -1 to 1, continuous, with a new direction in every period. */
  static double noise(long key, long period, long time) {
    long slot = Math.floorDiv(time, period);
    double within = Math.floorMod(time, period) / (double) period;
    double before = 2 * Chance.unit(key, slot) - 1;
    double after = 2 * Chance.unit(key, slot + 1) - 1;
    return before + (after - before) * within;
  }
}
