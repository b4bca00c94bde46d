package dev.octroi.sandbox.vendor;

/**
 * A smooth deterministic curve over time, from which prices and other levels are read at any
 * instant: two endpoints that read the same curve at the same time agree. Immutable.
 */
public final class Drift {

  /** Wavelengths in seconds, each half as strong as the one before. */
  private static final long[] WAVES = {7_776_000, 1_209_600, 172_800, 21_600, 2_700, 300};

  private final long seed;

  /** The curve of a name. */
  public Drift(String name) {
    this.seed = Seeded.hash(name);
  }

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

  /** A number in -1 to 1 for a cell: the finalizer of SplitMix64 over seed, wave and cell. */
  private double node(long wave, long cell) {
    long mixed = seed + wave * 0x9e3779b97f4a7c15L + cell * 0xd1b54a32d192ed03L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    mixed ^= mixed >>> 31;
    return (mixed >>> 11) * 0x1.0p-52 - 1;
  }
}
