package dev.octroi.payments.account;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Remembers for 5 seconds which secrets are good and which are not, so that neither a busy key nor
 * a guesser asks the database for every call (money, in the database). Bounded; thread-safe.
 */
final class KeyRing {

  private static final Duration FRESH = Duration.ofSeconds(5);
  private static final Duration IDLE = Duration.ofMinutes(10);
  private static final int MOST = 10_000;

  /**
   * How many secrets that are not known are looked up at once for callers who may be over their
   * limit of wrong ones. A good key among them must be found, since it may share its address with a
   * guesser; the rest of the database is not for such callers.
   */
  private static final int GUESSES_AT_ONCE = 4;

  private record Entry(Optional<ApiKey> key, Instant readAt) {}

  private final Function<KeySecret, Optional<ApiKey>> database;
  private final Semaphore guesses = new Semaphore(GUESSES_AT_ONCE);
  private final AtomicLong changes = new AtomicLong();
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
   * @param stranger run where a secret is not good, or where too many unknown ones are looked up at
   *     this moment; it may throw
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
    boolean wasGood = known != null && known.key().filter(key -> key.isGood(now)).isPresent();
    boolean counted = false;
    if (known == null || !now.isBefore(known.readAt().plus(FRESH))) {
      long before = changes.get();
      boolean mayLook = wasGood || guesses.tryAcquire();
      if (!mayLook) {
        stranger.run();
        counted = true;
      }
      try {
        known = new Entry(database.apply(secret.get()), now);
      } finally {
        if (!wasGood && mayLook) {
          guesses.release();
        }
      }
      entries.put(hash, known);
      if (changes.get() != before) {
        // What was read may have stood so before the change.
        entries.invalidate(hash);
      }
    }
    Optional<ApiKey> good = known.key().filter(key -> key.isGood(now));
    if (good.isEmpty() && !counted) {
      stranger.run();
    }
    return good;
  }

  /** Has a key looked up anew, since it has changed. */
  void forget(UUID key) {
    changes.incrementAndGet();
    entries
        .asMap()
        .values()
        .removeIf(entry -> entry.key().filter(it -> it.id().equals(key)).isPresent());
  }
}
