package dev.octroi.payments.ledger;

import java.time.Duration;

/**
 * How long and how many answers are kept for payments with an identifier, besides those that are
 * still owed.
 *
 * @param time how long an identifier stands for its first use
 * @param bytes what kept answers take up together; the oldest go first
 * @param count the most answers kept; the oldest go first
 */
public record ReplayLimits(Duration time, long bytes, int count) {

  /** A day, 256 MiB, 100,000 answers. */
  public static final ReplayLimits DEFAULT =
      new ReplayLimits(Duration.ofHours(24), 256L << 20, 100_000);

  /** Throws {@link IllegalArgumentException} where a limit is not above zero. */
  public ReplayLimits {
    if (time.isNegative() || time.isZero() || bytes <= 0 || count <= 0) {
      throw new IllegalArgumentException("the limits of kept answers are above zero");
    }
  }
}
