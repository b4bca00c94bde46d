package dev.octroi.payments.ledger.jdbc;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** The system's clock, put forward or back by a test, or stopped. */
final class SteppedClock extends Clock {

  private volatile Duration ahead = Duration.ZERO;
  private volatile @Nullable Instant stopped;

  void forward(Duration more) {
    ahead = ahead.plus(more);
  }

  /** It says this very time until it is {@link #goOn told to go on}. */
  void stop() {
    stopped = instant();
  }

  /** It says what it would have said had nothing been done to it. */
  void goOn() {
    stopped = null;
    ahead = Duration.ZERO;
  }

  @Override
  public Instant instant() {
    Instant still = stopped;
    return still == null ? Clock.systemUTC().instant().plus(ahead) : still;
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
