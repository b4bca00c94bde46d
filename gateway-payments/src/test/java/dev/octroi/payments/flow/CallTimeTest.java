package dev.octroi.payments.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.flow.PaidCall.CallTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CallTimeTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration CALL = Duration.ofSeconds(120);

  @Test
  void aLongLivedAuthorizationLeavesTheCallItsOwnTime() {
    CallTime time = CallTime.of(NOW, CALL, NOW.plusSeconds(300));

    assertThat(time.deadline()).isEqualTo(NOW.plusSeconds(120));
    assertThat(time.abandoned()).isAfter(time.deadline());
  }

  @Test
  @Tag("spec:decision.authorization_life")
  void aCallNeverOutlivesItsAuthorizationLessTenSeconds() {
    CallTime time = CallTime.of(NOW, CALL, NOW.plusSeconds(60));

    assertThat(time.deadline()).isEqualTo(NOW.plusSeconds(50));
    assertThat(time.lastSettlement()).isEqualTo(NOW.plusSeconds(54));
    assertThat(time.abandoned()).isEqualTo(NOW.plusSeconds(60));
  }

  @Test
  @Tag("spec:money.3")
  void aCallThatIsChargedAlreadyHasItsOwnTimeWhateverBecameOfTheAuthorization() {
    CallTime time = CallTime.afterCharge(NOW, CALL);

    assertThat(time.deadline()).isEqualTo(NOW.plusSeconds(120));
    assertThat(time.abandoned()).isAfter(time.deadline());
  }
}
