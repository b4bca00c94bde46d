package dev.octroi.reference;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.Configurator.ExecutionStatus;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.reference.Logging.LogLines;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
  void whatCallersWriteIsNoWarning() {
    Logging.setUp(logback, "");

    for (String logger :
        new String[] {"org.eclipse.jetty.http.HttpParser", "org.eclipse.jetty.util.HostPort"}) {
      assertThat(logback.getLogger(logger).getEffectiveLevel()).isEqualTo(Level.ERROR);
    }
  }

  @Test
  void theOperatorSaysFromWhichLevelOn() {
    Logging.setUp(logback, "debug");

    assertThat(logback.getLogger("org.eclipse.jetty.http.HttpParser").getEffectiveLevel())
        .isEqualTo(Level.DEBUG);

    assertThat(logback.getLogger("dev.octroi.api").getEffectiveLevel()).isEqualTo(Level.DEBUG);
  }

  /** As Logback's own pattern would write it. */
  @ParameterizedTest
  @ValueSource(strings = {"WARN", "ERROR"})
  void aLineTellsWhatHappenedInWhichCallAndWhatWasThrown(String level) {
    PatternLayout pattern = new PatternLayout();
    pattern.setContext(logback);
    pattern.setPattern("%d{HH:mm:ss.SSS} %-5level %logger{20} %X{request:--} %msg%n");
    pattern.start();
    LoggingEvent plain = event("dev.octroi.payments.ledger.jdbc.Writers", level, Map.of(), null);
    LoggingEvent thrown =
        event("x.Short", level, Map.of("request", "req-1"), new IllegalStateException("because"));

    LogLines lines = new LogLines();

    assertThat(lines.doLayout(plain)).isEqualTo(pattern.doLayout(plain)).contains(" - it is so");
    assertThat(lines.doLayout(thrown))
        .isEqualTo(pattern.doLayout(thrown))
        .contains(" req-1 it is so", "because", "\tat ");
    assertThat(new LogLines.Bare().doLayout(plain)).isEqualTo("it is so" + System.lineSeparator());
  }

  @Test
  void forMachinesALineIsAnObjectWithTheIdsOfTheCall() throws Exception {
    LogLines.Json lines = new LogLines.Json();
    String line =
        lines.doLayout(
            event(
                "x.Short",
                "WARN",
                Map.of("request", "req-1", "trace", "4bf9", "other", "no"),
                new IllegalStateException("two\nlines")));
    String access =
        lines.doLayout(event("dev.octroi.access", "INFO", Map.of(), null, "{\"status\":402}"));

    assertThat(line.lines()).hasSize(1);
    JsonNode read = new ObjectMapper().readTree(line);
    assertThat(Instant.parse(read.path("at").asText())).isBefore(Instant.now().plusSeconds(1));
    assertThat(read.path("level").asText()).isEqualTo("WARN");
    assertThat(read.path("logger").asText()).isEqualTo("x.Short");
    assertThat(read.path("request").asText()).isEqualTo("req-1");
    assertThat(read.path("trace").asText()).isEqualTo("4bf9");
    assertThat(read.path("message").asText()).isEqualTo("it is so");
    assertThat(read.path("thrown").asText()).contains("two\nlines", "\tat ");
    assertThat(read.size()).isEqualTo(7);
    assertThat(access).isEqualTo("{\"status\":402}" + System.lineSeparator());
  }

  private LoggingEvent event(
      String logger, String level, Map<String, String> mdc, @Nullable Throwable thrown) {
    return event(logger, level, mdc, thrown, "it is so");
  }

  private LoggingEvent event(
      String logger,
      String level,
      Map<String, String> mdc,
      @Nullable Throwable thrown,
      String message) {
    LoggingEvent event =
        new LoggingEvent(
            "test", logback.getLogger(logger), Level.toLevel(level), message, thrown, null);
    event.setMDCPropertyMap(mdc);
    return event;
  }
}
