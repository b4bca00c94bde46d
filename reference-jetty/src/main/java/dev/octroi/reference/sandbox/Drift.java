package dev.octroi.reference.sandbox;

/**
 * A smooth deterministic curve over time, from which prices and other levels are read at any
 * instant: two endpoints that read the same curve at the same time agree.
 *
 * @param seed which curve
 */
public record Drift(String seed) {

  /** Wavelengths in seconds, each half as strong as the one before. */
  private static final long[] WAVES = {7_776_000, 1_209_600, 172_800, 21_600, 2_700, 300};

  /** The curve at a time, between -1 and 1 and mostly near 0. */
  public double at(long epochSecond) {
    double sum = 0;
    double weight = 0.5;
    for (long wave : WAVES) {
      sum += weight * noise(wave, epochSecond);
      weight /= 2;
    }
    return sum;
  }

  /** A level that wanders around {@code middle} by a factor of at most e to the {@code spread}. */
  public double level(double middle, double spread, long epochSecond) {
    return middle * Math.exp(spread * at(epochSecond));
  }

  private double noise(long wave, long epochSecond) {
    long cell = Math.floorDiv(epochSecond, wave);
    double within = (double) Math.floorMod(epochSecond, wave) / wave;
    double eased = within * within * (3 - 2 * within);
    double left = node(wave, cell);
    return left + (node(wave, cell + 1) - left) * eased;
  }

  private double node(long wave, long cell) {
    return Seeded.of(seed, wave, cell).uniform(-1, 1);
  }
}
