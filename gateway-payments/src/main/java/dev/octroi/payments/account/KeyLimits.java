package dev.octroi.payments.account;

import dev.octroi.payments.Usd;
import java.util.Optional;

/**
 * What a key may spend; empty means that there is no such limit. Days and months are UTC.
 *
 * @param perCall the dearest call
 * @param daily all calls of a day
 * @param monthly all calls of a month
 */
public record KeyLimits(Optional<Usd> perCall, Optional<Usd> daily, Optional<Usd> monthly) {

  /** No limit at all. */
  public static final KeyLimits NONE =
      new KeyLimits(Optional.empty(), Optional.empty(), Optional.empty());

  /** Both hold: the lower of each two. */
  public KeyLimits and(KeyLimits other) {
    return new KeyLimits(
        lower(perCall, other.perCall), lower(daily, other.daily), lower(monthly, other.monthly));
  }

  private static Optional<Usd> lower(Optional<Usd> one, Optional<Usd> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.or(() -> other);
    }
    return one.get().compareTo(other.get()) <= 0 ? one : other;
  }
}
