package dev.octroi.api.limit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Calls per minute of whoever is counted, each in a minute that begins with the first call. The
 * least recent are forgotten first, which forgives them at most one minute. Thread-safe.
 *
 * @param <K> who is counted
 */
final class Rates<K> {

  private static final Duration WINDOW = Duration.ofMinutes(1);

  private final Cache<K, Bucket> buckets;
  private final ToIntFunction<K> allowed;
  private final TimeMeter time;

  Rates(int counted, ToIntFunction<K> allowed, TimeMeter time) {
    this.allowed = allowed;
    this.time = time;
    this.buckets =
        Caffeine.newBuilder()
            .maximumSize(counted)
            .expireAfterAccess(WINDOW.multipliedBy(2))
            .ticker(time::currentTimeNanos)
            .build();
  }

  /** Counts a call. Returns null if it may go on, else how long to wait. */
  @Nullable Duration count(K who) {
    ConsumptionProbe probe = buckets.get(who, this::bucket).tryConsumeAndReturnRemaining(1);
    return probe.isConsumed() ? null : Duration.ofNanos(probe.getNanosToWaitForRefill());
  }

  private Bucket bucket(K who) {
    int rate = allowed.applyAsInt(who);
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(rate).refillIntervally(rate, WINDOW))
        .withCustomTimePrecision(time)
        .build();
  }
}
