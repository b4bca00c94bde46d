package dev.octroi.sandbox.world;

import dev.octroi.sandbox.formula.Chance;
import dev.octroi.sandbox.formula.Values;
import org.jspecify.annotations.Nullable;

/**
 * What a claim costs while it is open, and how it ends. A claim on a coin's price follows that
 * price; any other wanders around its chance, and in its last tenth to its end.
 *
 * @param key from which it wanders
 * @param chance around which it does, 0 to 1
 * @param comesTrue how it ends
 * @param created when it was listed, or when the coin's price is taken that it has to beat
 * @param end when it ends
 * @param asset the coin that it is about, if any
 * @param strike what the coin has to cost more than at the end
 */
record Odds(
    long key,
    double chance,
    boolean comesTrue,
    long created,
    long end,
    @Nullable Asset asset,
    double strike) {

  /** Prices move in steps of so many seconds. */
  static final long STEP = 5;

  private static final double LOWEST = 0.02;
  private static final double HIGHEST = 0.98;
  private static final double YEAR = 365 * 86_400.0;

  /** How far a coin moves in a year, in logarithms, as the claims see it. */
  private static final double SPREAD = 0.55;

  /** Periods in seconds, and how far a price may swing in each. */
  private static final long[] PERIODS = {20 * 86_400, 86_400, 3_600, 300, 60};

  private static final double[] SWINGS = {0.16, 0.05, 0.02, 0.008, 0.004};

  /** A claim that a coin costs more at the end. */
  static Odds above(long key, long created, long end, Asset asset, double strike) {
    return new Odds(key, 0.5, asset.usd(end) > strike, created, end, asset, strike);
  }

  /** What yes costs at a venue before the end. */
  double at(Venue venue, long second) {
    long time = second - Math.floorMod(second, STEP);
    double price = asset == null ? wandering(time) : fair(asset, time);
    if (venue != Venue.A) {
      price += 0.05 * Chance.noise(Chance.key(key, venue), 6 * 3_600, time);
    }
    return Values.round(Math.max(LOWEST, Math.min(HIGHEST, price)), 3);
  }

  private double wandering(long time) {
    double sum = 0;
    for (int at = 0; at < PERIODS.length; at++) {
      sum += SWINGS[at] * Chance.noise(key + at, PERIODS[at], time);
    }
    double price = chance + 4 * chance * (1 - chance) * sum;
    double last = (end - created) / 10.0;
    double near = Math.max(0, 1 - (end - time) / last);
    return price + near * 0.8 * ((comesTrue ? 1 : 0) - price);
  }

  private double fair(Asset coin, long time) {
    if (time < created) {
      return chance;
    }
    double left = SPREAD * Math.sqrt(Math.max(1, end - time) / YEAR);
    double distance = Math.log(coin.raw(time) / strike) / left;
    return 1 / (1 + Math.exp(-1.7 * distance));
  }
}
