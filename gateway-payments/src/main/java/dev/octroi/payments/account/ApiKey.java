package dev.octroi.payments.account;

import dev.octroi.payments.Usd;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;

/**
 * A key as it may be shown: everything but the secret, which only its owner has.
 *
 * @param id 128 random bits; no secret, and the same before and after a rotation
 * @param account whose wallets pay
 * @param name for people
 * @param prefix the first characters of its newest secret, by which its owner recognises it
 * @param groups words of the groups that it may call; empty: all
 * @param requestsPerMinute its own rate; empty: the rate of payers
 * @param granted what the operator lets it spend
 * @param own what its owner lets it spend, in so far as that is less
 * @param created when it was made
 * @param expires when it ends by itself
 * @param revoked when it was ended
 */
public record ApiKey(
    UUID id,
    UUID account,
    String name,
    String prefix,
    Set<String> groups,
    OptionalInt requestsPerMinute,
    KeyLimits granted,
    KeyLimits own,
    Instant created,
    Optional<Instant> expires,
    Optional<Instant> revoked) {

  public ApiKey {
    groups = Set.copyOf(groups);
  }

  /** What it may spend: whatever of both limits is lower. */
  public KeyLimits limits() {
    return granted.and(own);
  }

  /** Whether it may call a group of endpoints. */
  public boolean permits(String group) {
    return groups.isEmpty() || groups.contains(group);
  }

  /** Whether it is neither revoked nor expired at that moment. */
  public boolean isGood(Instant now) {
    return revoked.isEmpty() && expires.filter(end -> !now.isBefore(end)).isEmpty();
  }

  /**
   * What a key may spend; empty means that there is no such limit. Days and months are UTC.
   *
   * @param perCall maximum price per call
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
}
