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
            + "\"type\":\"not_found_error\",\"code\":\"not_found\","
            + "\"details\":{\"error_code\":\"not_found\"}}}"
      })
  void eachShapeHasItsMembers(ErrorShape shape, String body) {
    ErrorAnswer error = ErrorAnswer.shaped(404, "not_found", "No \"x\".");
    assertThat(new String(ErrorBodies.of(error, shape), StandardCharsets.UTF_8)).isEqualTo(body);
  }

  @ParameterizedTest
  @CsvSource({
    "RELAY, 401, authentication_error",
    "RELAY, 429, rate_limit_error",
    "RELAY, 502, server_error",
    "RELAY, 503, server_error",
    "MESSAGES, 401, authentication_error",
    "MESSAGES, 429, rate_limit_error",
    "MESSAGES, 502, api_error",
    "MESSAGES, 503, overloaded_error"
  })
  void eachVendorHasItsWordForAStatus(ErrorShape shape, int status, String type) {
    ErrorAnswer error = ErrorAnswer.shaped(status, "a_code", "A sentence.");
    assertThat(new String(ErrorBodies.of(error, shape), StandardCharsets.UTF_8))
        .contains("\"type\":\"" + type + "\"");
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
