package dev.octroi.api.limit;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Requests per minute of each client address, for what is no paid call, or fails. Thread-safe. */
public final class AddressRate {

  private static final int COUNTED = 10_000;

  private final Rates<String> rates;

  public AddressRate(int perMinute, Clock clock) {
    rates = new Rates<>(COUNTED, address -> perMinute, clock);
  }

  /** Counts a request; how long to wait if it is one too many. */
  public Optional<Duration> count(String address) {
    return Optional.ofNullable(rates.count(address).pause());
  }
}
