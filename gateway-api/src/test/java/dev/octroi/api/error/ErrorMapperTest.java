package dev.octroi.api.error;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.ledger.LedgerUnavailable;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ErrorMapperTest {

  private final ErrorMapper mapper = new ErrorMapper();

  @Test
  void aLedgerThatDoesNotAnswerIsAReasonToComeAgainAndNoIncident() {
    Response answer = mapper.toResponse(new LedgerUnavailable("out of time", new Exception()));

    assertThat(answer.getStatus()).isEqualTo(503);
    assertThat(answer.getHeaderString(HttpHeaders.RETRY_AFTER)).isEqualTo("1");
    assertThat(answer.getEntity())
        .isEqualTo(
            ErrorAnswer.flat(503, "The gateway cannot serve this now.")
                .retryAfter(Duration.ofSeconds(1)));
  }

  @Test
  void whatNobodyForesawTellsItsNumberOnly() {
    Response answer = mapper.toResponse(new IllegalStateException("a secret"));

    assertThat(answer.getStatus()).isEqualTo(500);
    assertThat(answer.getEntity().toString()).contains("internal_error").doesNotContain("secret");
  }
}
