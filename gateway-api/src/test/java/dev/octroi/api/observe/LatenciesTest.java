package dev.octroi.api.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.observe.CallOutcomes.Latencies;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LatenciesTest {

  private static Latencies of(long... millis) {
    long[] counts = new long[Latencies.SIZE];
    for (long one : millis) {
      counts[Latencies.bucket(Duration.ofMillis(one).toNanos())]++;
    }
    return new Latencies(counts);
  }

  @Test
  void aCallLiesInTheBucketOfItsTimeTheBoundIncluded() {
    assertThat(Latencies.bucket(0)).isZero();
    assertThat(Latencies.bucket(Duration.ofMillis(1).toNanos())).isZero();
    assertThat(Latencies.bucket(Duration.ofMillis(1).plusNanos(1000).toNanos())).isOne();
    assertThat(Latencies.bucket(Duration.ofHours(1).toNanos())).isEqualTo(Latencies.SIZE - 1);
  }

  @Test
  void percentilesLieInTheBucketOfTheCallThatIsMeant() {
    Latencies hundred =
        Latencies.sum(
            List.of(
                of(new long[90]), of(400, 400, 400, 400, 400), of(4000, 4000, 4000, 4000, 90_000)));
    assertThat(hundred.calls()).isEqualTo(100);
    assertThat(hundred.percentile(50)).isEqualTo(1);
    assertThat(hundred.percentile(95)).isBetween(251L, 500L);
    assertThat(hundred.percentile(99)).isBetween(2501L, 5000L);
    assertThat(hundred.percentile(100)).isBetween(30_001L, 120_000L);
  }

  @Test
  void withoutCallsThereIsNoTimeAndBeyondTheLastBoundThereIsThatBound() {
    assertThat(of().percentile(99)).isNull();
    assertThat(of(3_600_000).percentile(50)).isEqualTo(120_000);
  }
}
