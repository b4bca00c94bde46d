package dev.octroi.services.read;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.octroi.services.Answer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Answers that are still fresh, within a number of bytes. Thread-safe. */
final class AnswerCache {

  /** What an entry costs besides its body: key, node and headers, roughly. */
  private static final int OVERHEAD = 1024;

  private record Entry(Answer answer, Duration freshness) {}

  private final Cache<ReadKey, Entry> entries;
  private final Duration unstated;

  AnswerCache(CacheSettings settings, Ticker ticker) {
    this.unstated = settings.unstated();
    this.entries =
        Caffeine.newBuilder()
            .maximumWeight(settings.maxBytes())
            .weigher((ReadKey key, Entry entry) -> entry.answer().body().length + OVERHEAD)
            .expireAfter(Expiry.<ReadKey, Entry>creating((key, entry) -> entry.freshness()))
            .ticker(ticker)
            .build();
  }

  @Nullable Answer fresh(ReadKey key) {
    Entry entry = entries.getIfPresent(key);
    return entry == null ? null : entry.answer();
  }

  /** Remembers a 200 for as long as the row says. */
  void put(Read row, ReadKey key, Answer answer) {
    Duration freshness = row.freshness().isZero() ? unstated : row.freshness();
    if (answer.status() == 200 && answer.charged() && !freshness.isZero()) {
      entries.put(key, new Entry(answer, freshness));
    }
  }
}
