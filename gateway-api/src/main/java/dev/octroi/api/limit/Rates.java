package dev.octroi.api.limit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.TokensInheritanceStrategy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Calls per minute of each payer, key or client address, in a minute that begins with its first
 * call. A rate may change at any time; what was used of it counts in proportion. The least recent
 * are forgotten first, which forgives them at most one minute. Thread-safe.
 *
 * @param <K> who is counted
 */
final class Rates<K> {

  private static final Duration WINDOW = Duration.ofMinutes(1);

  private record Counted(int rate, Bucket bucket) {}

  /**
   * Where a caller stands after a call.
   *
   * @param rate calls per minute
   * @param remaining how many more may come before the count starts anew
   * @param reset until then
   * @param pause how long until this call may go on; null if it may now
   */
  record Count(int rate, long remaining, Duration reset, @Nullable Duration pause) {

    /** The same as headers; times are whole seconds, rounded up. */
    Map<String, String> headers() {
      long seconds = (reset.toMillis() + 999) / 1000;
      return Map.of(
          "X-RateLimit-Limit", Integer.toString(rate),
          "X-RateLimit-Remaining", Long.toString(remaining),
          "X-RateLimit-Reset", Long.toString(seconds));
    }
  }

  private final Cache<K, Counted> buckets;
  private final ToIntFunction<K> allowed;
  private final TimeMeter time;

  Rates(int counted, ToIntFunction<K> allowed, Clock clock) {
    this.allowed = allowed;
    this.time = new ClockMeter(clock);
    this.buckets =
        Caffeine.newBuilder()
            .maximumSize(counted)
            .expireAfterAccess(WINDOW.multipliedBy(2))
            .ticker(time::currentTimeNanos)
            .build();
  }

  /** Counts a call. */
  Count count(K who) {
    int rate = allowed.applyAsInt(who);
    Counted counted = buckets.get(who, first -> new Counted(rate, bucket(rate)));
    if (counted.rate() != rate) {
      counted = buckets.asMap().compute(who, (same, known) -> changed(known, rate));
    }
    ConsumptionProbe probe = counted.bucket().tryConsumeAndReturnRemaining(1);
    return new Count(
        rate,
        probe.getRemainingTokens(),
        Duration.ofNanos(probe.getNanosToWaitForReset()),
        probe.isConsumed() ? null : Duration.ofNanos(probe.getNanosToWaitForRefill()));
  }

  /** Whether the next call of this caller may not go on; counts none. */
  boolean isUsedUp(K who) {
    Counted counted = buckets.getIfPresent(who);
    return counted != null && counted.bucket().getAvailableTokens() == 0;
  }

  private Counted changed(@Nullable Counted known, int rate) {
    if (known == null) {
      return new Counted(rate, bucket(rate));
    }
    BucketConfiguration limit = BucketConfiguration.builder().addLimit(bandwidth(rate)).build();
    known.bucket().replaceConfiguration(limit, TokensInheritanceStrategy.PROPORTIONALLY);
    return new Counted(rate, known.bucket());
  }

  private Bucket bucket(int rate) {
    return Bucket.builder().addLimit(bandwidth(rate)).withCustomTimePrecision(time).build();
  }

  private static Bandwidth bandwidth(int rate) {
    return Bandwidth.builder().capacity(rate).refillIntervally(rate, WINDOW).build();
  }

  /** The injected clock as the rate library wants it. */
  private record ClockMeter(Clock clock) implements TimeMeter {

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
}
