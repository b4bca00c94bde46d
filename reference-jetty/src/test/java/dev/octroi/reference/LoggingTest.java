package dev.octroi.reference;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator.ExecutionStatus;
import org.junit.jupiter.api.Test;

class LoggingTest {

  private final LoggerContext logback = new LoggerContext();

  /** The tests bring one: {@code logback-test.xml}. */
  @Test
  void aFileOfLogbacksIsReadInPlaceOfTheDefaults() {
    assertThat(new Logging().configure(logback)).isEqualTo(ExecutionStatus.INVOKE_NEXT_IF_ANY);
    assertThat(logback.getLogger("dev.octroi.access").iteratorForAppenders()).isExhausted();
  }

  @Test
  void withoutOneTheAccessLogHasLinesOfItsOwnAndTheRestOnlyWarns() {
    Logging.setUp(logback, "");

    assertThat(logback.getLogger("org.eclipse.jetty").getEffectiveLevel()).isEqualTo(Level.WARN);
    assertThat(logback.getLogger("dev.octroi.operator").getEffectiveLevel()).isEqualTo(Level.INFO);
    assertThat(logback.getLogger("dev.octroi.access").isAdditive()).isFalse();
    assertThat(logback.getLogger("dev.octroi.access").getEffectiveLevel()).isEqualTo(Level.INFO);
    assertThat(logback.getLogger("dev.octroi.access").iteratorForAppenders()).hasNext();
  }

  @Test
  void theOperatorSaysFromWhichLevelOn() {
    Logging.setUp(logback, "debug");

    assertThat(logback.getLogger("dev.octroi.api").getEffectiveLevel()).isEqualTo(Level.DEBUG);
  }
}
