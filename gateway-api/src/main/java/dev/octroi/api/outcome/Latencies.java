package dev.octroi.api.outcome;

import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long calls took, as counts of fixed buckets, so that those of several hours and nodes add up.
 *
 * @param counts of each bucket, one for each bound and one for all that is longer
 */
public record Latencies(long[] counts) {

  /** The upper bounds of the buckets in milliseconds, from a read out of memory to a long model. */
  private static final long[] BOUNDS = {
    1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 120_000
  };

  static final int SIZE = BOUNDS.length + 1;

  /** The bucket of a call. */
  static int bucket(long nanos) {
    long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
    int place = 0;
    while (place < BOUNDS.length && micros > BOUNDS[place] * 1000) {
      place++;
    }
    return place;
  }

  /** How many calls there were. */
  public long calls() {
    return Arrays.stream(counts).sum();
  }

  /** All of them together. */
  public static Latencies sum(Collection<Latencies> all) {
    long[] sum = new long[SIZE];
    for (Latencies one : all) {
      for (int place = 0; place < SIZE; place++) {
        sum[place] += one.counts[place];
      }
    }
    return new Latencies(sum);
  }

  /**
   * The time in milliseconds within which so many of a hundred calls ended, as if those of a bucket
   * lay evenly in it; null without calls. Above the last bound it is that bound.
   */
  public @Nullable Long percentile(int percent) {
    long calls = calls();
    if (calls == 0) {
      return null;
    }
    long rank = Math.max(1, (calls * percent + 99) / 100);
    long before = 0;
    for (int place = 0; place < BOUNDS.length; place++) {
      if (before + counts[place] >= rank) {
        long from = place == 0 ? 0 : BOUNDS[place - 1];
        return Math.max(1, from + (BOUNDS[place] - from) * (rank - before) / counts[place]);
      }
      before += counts[place];
    }
    return BOUNDS[BOUNDS.length - 1];
  }
}
