package dev.octroi.payments.reconcile;

import java.time.Duration;
import java.time.Instant;

/**
 * How long a payment is left alone between two questions to its chain: half as long as it has been
 * unresolved, so that the pauses grow with it.
 *
 * @param shortest the first pause
 * @param longest no pause is longer
 */
public record Backoff(Duration shortest, Duration longest) {

  private static final int SHARE = 2;

  public Backoff {
    if (shortest.isNegative() || shortest.isZero() || shortest.compareTo(longest) > 0) {
      throw new IllegalArgumentException("the shortest pause is above 0 and up to the longest");
    }
  }

  /** Two seconds at first, five minutes in the end. */
  public static Backoff defaults() {
    return new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(5));
  }

  /** When to ask again of one that has been unresolved since then. */
  Instant after(Instant since, Instant now) {
    Duration wished = Duration.between(since, now).dividedBy(SHARE);
    if (wished.compareTo(shortest) < 0) {
      return now.plus(shortest);
    }
    return now.plus(wished.compareTo(longest) > 0 ? longest : wished);
  }
}
