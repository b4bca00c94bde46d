package dev.octroi.api.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RouteCacheTest {

  @Test
  void answersThatComeAtTheSameTimeAreCopiedWithinWhatTheCacheMayTake() {
    RouteCache cache = new RouteCache(Duration.ofMinutes(1), 100, Clock.systemUTC());
    byte[] chunk = new byte[60];
    try (RouteCache.Copy first = cache.copy();
        RouteCache.Copy second = cache.copy()) {
      first.add(chunk, chunk.length);
      second.add(chunk, chunk.length);
      second.add(chunk, 1);

      assertThat(first.isWhole()).isTrue();
      assertThat(first.bytes()).hasSize(60);
      assertThat(second.isWhole()).isFalse();
      assertThat(second.bytes()).isEmpty();
    }
    try (RouteCache.Copy later = cache.copy()) {
      later.add(new byte[100], 100);
      assertThat(later.isWhole()).isTrue();
    }
  }
}
