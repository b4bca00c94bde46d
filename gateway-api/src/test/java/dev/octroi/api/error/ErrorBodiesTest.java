package dev.octroi.api.error;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.error.ErrorAnswer.ErrorBodies;
import dev.octroi.api.group.Group.ErrorShape;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorBodiesTest {

  @ParameterizedTest
  @Tag("spec:error.shapes")
  @CsvSource(
      delimiter = '|',
      value = {
        "FLAT     | {\"error\":\"No \\\"x\\\".\"}",
        "NESTED   | {\"error\":{\"code\":\"not_found\",\"message\":\"No \\\"x\\\".\"}}",
        "RELAY    | {\"error\":{\"message\":\"No \\\"x\\\".\",\"type\":\"not_found_error\","
            + "\"code\":\"not_found\"}}",
        "MESSAGES | {\"type\":\"error\",\"error\":{\"message\":\"No \\\"x\\\".\","
            + "\"type\":\"not_found_error\",\"code\":\"not_found\"}}"
      })
  void eachShapeHasItsMembers(ErrorShape shape, String body) {
    ErrorAnswer error = ErrorAnswer.shaped(404, "not_found", "No \"x\".");
    assertThat(new String(ErrorBodies.of(error, shape), StandardCharsets.UTF_8)).isEqualTo(body);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1000, 1", "1001, 2", "0, 1", "60000, 60"})
  void theTimeToWaitIsRoundedUpToWholeSeconds(long millis, String seconds) {
    assertThat(
            ErrorAnswer.flat(429, "Wait.")
                .retryAfter(Duration.ofMillis(millis))
                .response()
                .getHeaderString("Retry-After"))
        .isEqualTo(seconds);
  }
}
