package dev.octroi.services;

import java.time.Duration;

/**
 * The moment at which a call must have ended, on the monotonic clock.
 *
 * @param nanoTime a value of {@link System#nanoTime()}
 */
public record Deadline(long nanoTime) {

  public static Deadline in(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos());
  }

  /** What is left, never negative. */
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, nanoTime - System.nanoTime()));
  }

  /** The earlier of this and a deadline that far ahead. */
  public Deadline atMost(Duration time) {
    Deadline other = in(time);
    return other.nanoTime - nanoTime < 0 ? other : this;
  }
}
