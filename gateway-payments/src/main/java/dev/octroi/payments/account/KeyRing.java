package dev.octroi.payments.account;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Remembers for 5 seconds which secrets are good and which are not, so that neither a busy key nor
 * a guesser asks the database for every call (money, in the database). Bounded; thread-safe.
 */
final class KeyRing {

  private static final Duration FRESH = Duration.ofSeconds(5);
  private static final Duration IDLE = Duration.ofMinutes(10);
  private static final int MOST = 10_000;

  private record Entry(Optional<ApiKey> key, Instant readAt) {}

  private final Function<KeySecret, Optional<ApiKey>> database;
  private final Clock clock;
  private final Cache<String, Entry> entries =
      Caffeine.newBuilder().maximumSize(MOST).expireAfterAccess(IDLE).build();

  KeyRing(Function<KeySecret, Optional<ApiKey>> database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * The good key of a secret.
   *
   * @param stranger run before a secret is judged that was not known for good a moment ago; it may
   *     throw
   */
  Optional<ApiKey> find(String text, Runnable stranger) {
    Optional<KeySecret> secret = KeySecret.of(text);
    if (secret.isEmpty()) {
      stranger.run();
      return Optional.empty();
    }
    Instant now = clock.instant();
    String hash = HexFormat.of().formatHex(secret.get().hash());
    Entry known = entries.getIfPresent(hash);
    // A key that was good stays no stranger when it is looked up anew.
    if (known == null || known.key().filter(key -> key.isGood(now)).isEmpty()) {
      stranger.run();
    }
    if (known == null || !now.isBefore(known.readAt().plus(FRESH))) {
      known = new Entry(database.apply(secret.get()), now);
      entries.put(hash, known);
    }
    return known.key().filter(key -> key.isGood(now));
  }

  /** Has a key looked up anew, since it has changed. */
  void forget(UUID key) {
    entries
        .asMap()
        .values()
        .removeIf(entry -> entry.key().filter(it -> it.id().equals(key)).isPresent());
  }
}
