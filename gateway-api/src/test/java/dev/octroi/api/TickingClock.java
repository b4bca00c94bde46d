package dev.octroi.api;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that moves when a test says so. */
public final class TickingClock extends Clock {

  private final AtomicReference<Instant> now;

  public TickingClock(Instant start) {
    now = new AtomicReference<>(start);
  }

  public void advance(Duration time) {
    now.updateAndGet(instant -> instant.plus(time));
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return Clock.fixed(instant(), zone);
  }
}
