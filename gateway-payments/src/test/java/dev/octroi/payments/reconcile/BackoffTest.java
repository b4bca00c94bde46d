package dev.octroi.payments.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.payments.reconcile.Decisions.Backoff;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BackoffTest {

  private static final Instant SINCE = Instant.parse("2026-11-21T12:00:00Z");

  private final Backoff backoff = new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(5));

  @Test
  void thePausesGrowWithTheAgeOfADoubt() {
    assertThat(pauseAt(Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(2));
    assertThat(pauseAt(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(15));
    assertThat(pauseAt(Duration.ofHours(3))).isEqualTo(Duration.ofMinutes(5));
  }

  private Duration pauseAt(Duration age) {
    Instant now = SINCE.plus(age);
    return Duration.between(now, backoff.after(SINCE, now));
  }

  @Test
  void aDoubtFromAFasterClockIsAskedForSoon() {
    assertThat(backoff.after(SINCE, SINCE.minusSeconds(60))).isEqualTo(SINCE.minusSeconds(58));
  }

  @Test
  void theShortestPauseIsNotLongerThanTheLongest() {
    assertThatThrownBy(() -> new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
