package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.octroi.payments.ledger.LedgerSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LedgerSettingsTest {

  private static final LedgerSettings DEFAULTS = LedgerSettings.of("a");

  @Test
  void theDefaultsLeaveTimeForThreeHeartbeatsAndNoPrivateAnswerOverTenMinutes() {
    assertThat(DEFAULTS.expiry()).isGreaterThanOrEqualTo(DEFAULTS.heartbeat().multipliedBy(3));
    assertThat(DEFAULTS.answerRetention()).isLessThanOrEqualTo(Duration.ofMinutes(10));
    assertThat(DEFAULTS.startingBalance()).isEqualTo(1_000_000_000L);
  }

  @Test
  void whatCannotWorkIsRefused() {
    refuses(() -> LedgerSettings.of(" "));
    refuses(() -> LedgerSettings.of("n".repeat(65)));
    refuses(
        () ->
            LedgerSettings.builder("a")
                .heartbeat(Duration.ofSeconds(6), Duration.ofSeconds(15))
                .build());
    refuses(
        () ->
            LedgerSettings.builder("a")
                .heartbeat(Duration.ofMillis(10), Duration.ofMillis(1500))
                .build());
    refuses(() -> LedgerSettings.builder("a").maxAnswer(0).build());
    refuses(() -> LedgerSettings.builder("a").startingBalance(-1).build());
  }

  private static void refuses(Runnable settings) {
    assertThatIllegalArgumentException().isThrownBy(settings::run);
  }
}
