package dev.octroi.services.prediction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.Answer;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.upstream.UpstreamAnswer;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class VendorErrorsTest {

  private static final String MISSING = "{\"detail\":{\"error\":\"Not found\",\"message\":\"\"}}";

  @ParameterizedTest
  @EnumSource(
      names = {
        "VENUE_A_MARKET",
        "VENUE_A_MARKET_PRICE",
        "VENUE_A_SMART_MONEY",
        "VENUE_B_MARKET",
        "VENUE_F_MARKET",
        "SPORTS_GAME",
        "VENUE_A_ORACLE_MARKET"
      })
  @Tag("spec:error.prediction.market_not_found")
  void anUnknownMarketIsTheGatewaysOwnError(PredictionRead row) {
    assertFailure(row, 404, MISSING, ErrorCode.MARKET_NOT_FOUND);
  }

  @ParameterizedTest
  @EnumSource(names = {"VENUE_A_WALLET", "MARKETS_SEARCH", "VENUE_A_EVENT", "MARKETS_COMPARE"})
  void a404ThatNamesNoMarketPasses(PredictionRead row) {
    Answer answer = VendorErrors.answer(row, said(404, MISSING));
    assertThat(answer.status()).isEqualTo(404);
    assertThat(new String(answer.body(), UTF_8)).isEqualTo(MISSING);
    assertThat(answer.charged()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400|{\"detail\":{\"error\":\"Market closed\",\"message\":\"m\"}}",
        "409|{\"detail\":{\"error\":\"market_resolved\"}}",
        "410|{\"detail\":\"Market is closed\"}",
        "400|{\"error\":\"MARKET_CLOSED\"}"
      })
  @Tag("spec:error.prediction.market_closed")
  void aMarketThatTheVendorCallsClosedIsTheGatewaysOwnError(int status, String body) {
    assertFailure(PredictionRead.VENUE_A_TRADES, status, body, ErrorCode.MARKET_CLOSED);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 404})
  @Tag("spec:error.prediction.market_closed")
  void aClosedMarketIsNotAnUnknownOneWhateverStatusTheVendorGivesIt(int status) {
    String body = "{\"detail\":{\"error\":\"Market closed\",\"message\":\"It is resolved.\"}}";
    assertFailure(PredictionRead.VENUE_A_MARKET, status, body, ErrorCode.MARKET_CLOSED);
    assertThat(ErrorCode.MARKET_CLOSED.status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<html>",
        "{}",
        "{\"detail\":\"Not Found\"}",
        "{\"message\":\"Not Found\"}",
        "{\"message\":\"no Route matched with those values\"}",
        "{\"code\":404,\"error\":\"unknown host\",\"message\":\"no backend\"}",
        "{\"detail\":{}}",
        "{\"error\":\"Not Found\"}"
      })
  @Tag("spec:error.prediction.market_not_found")
  void aBare404IsNoUnknownMarket(String body) {
    assertFailure(PredictionRead.VENUE_A_MARKET_PRICE, 404, body, ErrorCode.UPSTREAM_FAILED);
  }

  @ParameterizedTest
  @CsvSource({
    "400, vendor-error-400.json",
    "422, vendor-error-422.json",
    "429, vendor-error-429.json"
  })
  @Tag("spec:error.prediction.upstream")
  void everyOtherErrorPassesWithItsOwnShapeAndIsNotCharged(int status, String sample) {
    byte[] body = Samples.bytes(sample);
    Map<String, String> headers =
        Map.of("retry-after", "7", "ratelimit-remaining", "0", "server", "secret");
    Answer answer =
        VendorErrors.answer(
            PredictionRead.VENUE_A_MARKETS, new UpstreamAnswer(status, headers, body));
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.body()).isSameAs(body);
    assertThat(answer.charged()).isFalse();
    assertThat(answer.headers()).isEqualTo(Map.of("Retry-After", "7", "RateLimit-Remaining", "0"));
  }

  @Test
  void anErrorIsJsonWhateverTheVendorCallsIt() {
    byte[] body = "{\"detail\":{\"error\":\"<script>alert(1)</script>\"}}".getBytes(UTF_8);
    UpstreamAnswer said = new UpstreamAnswer(400, Map.of("content-type", "text/html"), body);
    assertThat(VendorErrors.answer(PredictionRead.MARKETS, said).mediaType())
        .isEqualTo("application/json");
  }

  @Test
  void anUpstreamInTroubleIsA502OrA503() {
    assertFailure(PredictionRead.MARKETS, 500, "{}", ErrorCode.UPSTREAM_FAILED);
    assertFailure(PredictionRead.VENUE_A_MARKET, 503, "{}", ErrorCode.UPSTREAM_UNAVAILABLE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>", "", "[]", "{\"detail\":"})
  void anErrorThatIsNoJsonObjectIsRubbish(String body) {
    assertFailure(PredictionRead.MARKETS, 400, body, ErrorCode.UPSTREAM_FAILED);
  }

  private static void assertFailure(
      PredictionRead row, int status, String body, ErrorCode expected) {
    assertThatThrownBy(() -> VendorErrors.answer(row, said(status, body)))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo(expected));
  }

  private static UpstreamAnswer said(int status, String body) {
    return new UpstreamAnswer(status, Map.of(), body.getBytes(UTF_8));
  }
}
