package dev.octroi.api.limit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.EstimationProbe;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.TokensInheritanceStrategy;
import java.time.Duration;
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

  private final Cache<K, Counted> buckets;
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
    int rate = allowed.applyAsInt(who);
    Counted counted = buckets.get(who, first -> new Counted(rate, bucket(rate)));
    if (counted.rate() != rate) {
      counted = buckets.asMap().compute(who, (same, known) -> changed(known, rate));
    }
    ConsumptionProbe probe = counted.bucket().tryConsumeAndReturnRemaining(1);
    return probe.isConsumed() ? null : Duration.ofNanos(probe.getNanosToWaitForRefill());
  }

  /** How long until a call may go on; null if one may now. Counts nothing. */
  @Nullable Duration waiting(K who) {
    Counted counted = buckets.getIfPresent(who);
    if (counted == null) {
      return null;
    }
    EstimationProbe probe = counted.bucket().estimateAbilityToConsume(1);
    return probe.canBeConsumed() ? null : Duration.ofNanos(probe.getNanosToWaitForRefill());
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
}
