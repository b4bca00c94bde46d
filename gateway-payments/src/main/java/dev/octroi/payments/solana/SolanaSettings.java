package dev.octroi.payments.solana;

import java.time.Duration;

/**
 * How a payment on Solana is settled.
 *
 * @param finality when it counts as settled
 * @param timeout how long a call waits for that before its payment is in doubt
 * @param resend after which time a transaction that no block holds yet is sent again
 * @param poll how often its state is asked for
 */
public record SolanaSettings(Finality finality, Duration timeout, Duration resend, Duration poll) {

  /** When a transaction counts as settled. */
  public enum Finality {
    /** Two thirds of the stake have voted for its block; no such block was ever undone. */
    CONFIRMED,
    /** More than 31 blocks stand on it; some 13 seconds later. */
    FINALIZED;

    boolean reachedBy(SolanaRpc.Status status) {
      return status.confirmation().equals("finalized")
          || (this == CONFIRMED && status.confirmation().equals("confirmed"));
    }
  }

  /** Throws {@link IllegalArgumentException} where a duration is not above zero. */
  public SolanaSettings {
    for (Duration duration : new Duration[] {timeout, resend, poll}) {
      if (duration.isZero() || duration.isNegative()) {
        throw new IllegalArgumentException("durations of Solana are above zero");
      }
    }
  }

  /** Confirmed, a timeout of thirty seconds. */
  public static SolanaSettings defaults() {
    return new SolanaSettings(
        Finality.CONFIRMED, Duration.ofSeconds(30), Duration.ofSeconds(2), Duration.ofMillis(400));
  }
}
