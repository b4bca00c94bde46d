package dev.octroi.api.limit;

import io.github.bucket4j.TimeMeter;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The injected clock as the rate library wants it. */
record ClockMeter(Clock clock) implements TimeMeter {

  @Override
  public long currentTimeNanos() {
    Instant now = clock.instant();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }

  @Override
  public boolean isWallClockBased() {
    return true;
  }
}
