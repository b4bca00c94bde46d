package dev.octroi.api.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.octroi.api.TickingClock;
import dev.octroi.api.limit.Limits.InFlight;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RatesTest {

  private final TickingClock clock = new TickingClock(Instant.parse("2026-11-01T00:00:00Z"));
  private final Rates<String> rates = new Rates<>(100, who -> 3, clock);

  @Test
  @Tag("spec:limit.request_rate")
  void theCallAfterTheLastAllowedOneWaitsForTheNextMinute() {
    for (int call = 0; call < 3; call++) {
      assertThat(rates.count("a").pause()).isNull();
    }
    clock.advance(Duration.ofSeconds(20));
    Rates.Count over = rates.count("a");
    assertThat(over.pause()).isEqualTo(Duration.ofSeconds(40));
    assertThat(over.headers())
        .containsOnly(
            entry("X-RateLimit-Limit", "3"),
            entry("X-RateLimit-Remaining", "0"),
            entry("X-RateLimit-Reset", "40"));
    assertThat(rates.count("b").pause()).isNull();
    clock.advance(Duration.ofSeconds(40));
    assertThat(rates.count("a").pause()).isNull();
  }

  @Test
  @Tag("spec:money.rates_divided")
  void aRateThatChangesHoldsAtOnceAndKeepsItsProportion() {
    AtomicInteger rate = new AtomicInteger(8);
    Rates<String> changing = new Rates<>(100, who -> rate.get(), clock);
    for (int call = 0; call < 4; call++) {
      assertThat(changing.count("a").pause()).isNull();
    }

    rate.set(4);

    assertThat(changing.count("a").pause()).isNull();
    assertThat(changing.count("a").pause()).isNull();
    assertThat(changing.count("a").pause()).as("half of a half was left").isNotNull();
    rate.set(1);
    assertThat(changing.count("b").pause()).isNull();
    assertThat(changing.count("b").pause()).isNotNull();
  }

  @Test
  void placesAreTakenAndGivenBack() {
    InFlight<String> places = new InFlight<>(2);
    assertThat(places.enter("a", others -> true)).isTrue();
    assertThat(places.enter("a", others -> others < 1)).isFalse();
    assertThat(places.enter("a", others -> true)).isTrue();
    assertThat(places.enter("a", others -> true)).isFalse();
    assertThat(places.enter("b", others -> true)).isTrue();
    places.leave("a");
    assertThat(places.enter("a", others -> true)).isTrue();
    places.leave("a");
    places.leave("a");
    places.leave("b");
    assertThat(places.counted()).as("nothing is kept of those who left").isZero();
  }
}
