package dev.octroi.api.error;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.octroi.api.error.ErrorMapper.WrittenAnswer;
import dev.octroi.payments.ledger.LedgerUnavailable;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.ConnectionException;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ErrorMapperTest {

  private final ErrorMapper mapper = new ErrorMapper();

  @Test
  void aLedgerThatDoesNotAnswerIsAReasonToComeAgainAndNoIncident() {
    assertComesAgain(new LedgerUnavailable("no answer", new SQLException("no connection in 5 s")));
  }

  @Test
  void aDatabaseThatCannotBeReachedIsAReasonToComeAgainAndNoIncident() {
    assertComesAgain(new ConnectionException(new SQLException("no connection in 5 s")));
  }

  /** While a database is gone, each call is refused: a trace for each would fill the disk. */
  private void assertComesAgain(Exception thrown) {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    Logger logger = (Logger) LoggerFactory.getLogger(ErrorMapper.class);
    logger.addAppender(log);
    Response answer = mapper.toResponse(thrown);
    logger.detachAppender(log);

    assertThat(log.list)
        .singleElement()
        .satisfies(line -> assertThat(line.getThrowableProxy()).isNull())
        .extracting(ILoggingEvent::getFormattedMessage)
        .asString()
        .contains("no connection in 5 s");

    assertThat(answer.getStatus()).isEqualTo(503);
    assertThat(answer.getHeaderString(HttpHeaders.RETRY_AFTER)).isEqualTo("1");
    assertThat(answer.getEntity())
        .isEqualTo(
            ErrorAnswer.flat(503, "The gateway cannot serve this now.")
                .retryAfter(Duration.ofSeconds(1)));
  }

  @Test
  void anUnforeseenErrorTellsItsNumberOnly() {
    Response answer = mapper.toResponse(new IllegalStateException("a secret"));

    assertThat(answer.getStatus()).isEqualTo(500);
    assertThat(answer.getEntity().toString()).contains("internal_error").doesNotContain("secret");
  }

  @Test
  void whatFailsAfterAnAnswerIsItsConnectionAndNoIncident() throws InterruptedException {
    assertThat(
            statusesOnAThread(
                WrittenAnswer::begin, WrittenAnswer::end, WrittenAnswer::begin, WrittenAnswer::end))
        .containsExactly(500, 400, 500, 400);
  }

  /** A host's client completes one call after the other on a thread that received none of them. */
  @Test
  void anAnswerSaysNothingOfTheNextFailureWhereCallsAreCompletedElsewhere()
      throws InterruptedException {
    assertThat(statusesOnAThread(WrittenAnswer::end, WrittenAnswer::end)).containsExactly(500, 500);
  }

  /** What becomes of a broken connection after each step, on a thread of its own. */
  private List<Integer> statusesOnAThread(Runnable... steps) throws InterruptedException {
    List<Integer> statuses = new ArrayList<>();
    Thread thread =
        new Thread(
            () -> {
              for (Runnable step : steps) {
                step.run();
                statuses.add(mapper.toResponse(new IOException("reset")).getStatus());
              }
            });
    thread.start();
    thread.join();
    return statuses;
  }
}
