package dev.octroi.api.limit;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Failed attempts to authenticate, by whoever makes them. Whoever has failed too often in a minute
 * is not even looked at, so that a right guess after it is worth nothing. Thread-safe.
 */
public final class Failures {

  private static final int COUNTED = 10_000;

  private final Rates<String> rates;

  /**
   * @param perMinute how many attempts may fail
   */
  public Failures(int perMinute, Clock clock) {
    rates = new Rates<>(COUNTED, who -> perMinute, new ClockMeter(clock));
  }

  /** How long somebody has to wait; empty if the next attempt is looked at. */
  public Optional<Duration> waiting(String who) {
    return Optional.ofNullable(rates.waiting(who));
  }

  public void count(String who) {
    @Nullable Duration unused = rates.count(who);
  }
}
