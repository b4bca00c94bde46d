package dev.octroi.payments.ledger;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The times of this node's claims: its clock, except that they never go back. A sweep looks for a
 * dead node's claims from a time on that the node stated before, so a claim with an earlier time,
 * made after the clock was put back, would be found by no sweep and stay open for ever.
 * Thread-safe.
 */
final class ClaimTime {

  private final Clock clock;
  private Instant last = Instant.MIN;

  ClaimTime(Clock clock) {
    this.clock = clock;
  }

  /** Now, in microseconds as the databases keep it; not before any time that was told before. */
  synchronized Instant now() {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    if (now.isAfter(last)) {
      last = now;
    }
    return last;
  }
}
