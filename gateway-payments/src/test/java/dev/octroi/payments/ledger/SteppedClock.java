package dev.octroi.payments.ledger;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The system's clock, put forward by a test. */
final class SteppedClock extends Clock {

  private volatile Duration ahead = Duration.ZERO;

  void forward(Duration more) {
    ahead = ahead.plus(more);
  }

  @Override
  public Instant instant() {
    return Clock.systemUTC().instant().plus(ahead);
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
