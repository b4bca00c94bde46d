package dev.octroi.payments.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Time passes when the simulation says so, for the chain and all nodes alike. */
final class SimulatedClock extends Clock {

  private volatile Instant now = Instant.parse("2026-11-21T12:00:00Z");

  void pass(Duration duration) {
    now = now.plus(duration);
  }

  @Override
  public Instant instant() {
    return now;
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
