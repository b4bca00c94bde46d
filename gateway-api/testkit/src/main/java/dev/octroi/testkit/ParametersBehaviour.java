package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Arguments that are refused: 400, naming the argument, and free. One payment is sent with all of
 * an endpoint's bad calls and buys the good one in the end.
 */
abstract class ParametersBehaviour extends Behaviour {

  @ParameterizedTest(name = EACH)
  @MethodSource("dev.octroi.testkit.Endpoints#demanding")
  @Tag("spec:error.crypto.invalid_params")
  @Tag("spec:decision.required_parameters")
  @Tag("spec:decision.uncharged")
  void aMissingParameterIsNamedAndCostsNothing(Endpoint endpoint) {
    Call good = example(endpoint);
    String payment = deployment().openPayment(good);
    for (BadArguments missing : BadArguments.missing(endpoint)) {
      assertNamed(endpoint, missing, payment);
    }
    assertStillGood(payment, good);
  }

  @ParameterizedTest(name = EACH)
  @MethodSource("dev.octroi.testkit.Endpoints#picky")
  @Tag("spec:error.crypto.invalid_params")
  @Tag("spec:error.crypto.invalid_pair")
  @Tag("spec:error.prediction.invalid_address")
  @Tag("spec:rule.crypto.1")
  @Tag("spec:rule.prediction.1")
  @Tag("spec:rule.prediction.7")
  @Tag("spec:rule.prediction.8")
  @Tag("spec:limit.page_size")
  void aMalformedParameterIsNamedAndCostsNothing(Endpoint endpoint) {
    Call good = example(endpoint);
    String payment = deployment().openPayment(good);
    for (BadArguments malformed : BadArguments.malformed(endpoint)) {
      assertNamed(endpoint, malformed, payment);
    }
    assertStillGood(payment, good);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "min_realized_pnl, 999, 1000",
    "min_total_pnl, 999, 1000",
    "min_roi, 0.149, 0.15",
    "min_trades, 99, 100",
    "min_volume, 9999, 10000"
  })
  @Tag("spec:rule.prediction.5")
  void smartMoneyHasFloors(String criterion, String below, String floor) {
    Call markets = Call.get(PREDICTION + "/venue-a/markets?limit=1");
    String id = deployment().buy(markets).json().at("/markets/0/id").asText();
    Call call = Call.get(PREDICTION + "/venue-a/market/" + id + "/smart-money");
    String payment = deployment().payment(call);
    assertRefused(deployment().send(call, payment), 400, "invalid_params");
    Call tooLow = call.target(call.target() + "?" + criterion + "=" + below);
    Reply refused = deployment().send(tooLow, payment);
    assertRefused(refused, 400, "invalid_params");
    assertThat(refused.message()).contains(criterion);
    assertStillGood(payment, call.target(call.target() + "?" + criterion + "=" + floor));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "match_type=exact",
        "venue_a_condition_id=1&venue_b_market_ticker=2",
        "venue_d_slug=a&predict_market_id=1&opinion_token_id=2"
      })
  @Tag("spec:rule.prediction.6")
  void aMatchTakesExactlyOneIdentifier(String query) {
    Call call = Call.get(PREDICTION + "/matching-markets?" + query);
    assertRefused(deployment().pay(call), 400, "invalid_params");
  }

  @ParameterizedTest(name = "{0} {1} s")
  @CsvSource({"1m, 604801, 400", "1m, 604800, 200", "1h, 2592000, 200"})
  @Tag("spec:rule.prediction.7")
  void minuteCandlesCoverAWeek(String interval, long seconds, int status) {
    long end = 1_795_219_200;
    Call call =
        Call.get(
            PREDICTION
                + "/exchange-a/candles/BTCUSDT?limit=5&interval="
                + interval
                + "&start_time="
                + (end - seconds)
                + "&end_time="
                + end);
    Reply reply = deployment().pay(call);
    assertThat(reply.status()).as(reply.toString()).isEqualTo(status);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"open", "closed", "active", "resolved", "all"})
  @Tag("spec:rule.prediction.1")
  void theMarketListTakesEveryListedStatus(String status) {
    deployment().buy(Call.get(PREDICTION + "/venue-a/markets?limit=2&status=" + status));
  }

  @Test
  @Tag("spec:rule.prediction.2")
  void venueBTakesNoParametersAndPassesOthersOn() {
    assertThat(deployment().buy(Call.get(PREDICTION + "/venue-b/markets")).json().at("/markets"))
        .hasSize(20);
    deployment().buy(Call.get(PREDICTION + "/venue-b/markets?limit=2&min_volume=1"));
  }

  @Test
  @Tag("spec:rule.prediction.3")
  @Tag("spec:limit.page_size")
  void theSearchTakesAtMostFifty() {
    Call call = Call.get(PREDICTION + "/markets/search?q=will&limit=51");
    String payment = deployment().payment(call);
    assertRefused(deployment().send(call, payment), 400, "invalid_params");
    assertStillGood(payment, call.target(PREDICTION + "/markets/search?q=will&limit=50"));
  }

  @Test
  @Tag("spec:rule.prediction.4")
  void theLeaderboardTellsThirtyDaysAndTwentyFiveByDefault() {
    var board = deployment().buy(Call.get(PREDICTION + "/venue-a/leaderboard")).json();
    assertThat(board.path("period").asText()).isEqualTo("30d");
    assertThat(board.path("traders")).hasSize(25);
    var week = deployment().buy(Call.get(PREDICTION + "/venue-a/leaderboard?period=7d&limit=3"));
    assertThat(week.json().path("period").asText()).isEqualTo("7d");
    assertThat(week.json().path("traders")).hasSize(3);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {"addresses=A,B", "addresses=A&addresses=B", "addresses[]=A&addresses[]=B"})
  @Tag("spec:decision.required_parameters")
  void aListIsTakenInEachOfItsForms(String form) {
    String query =
        form.replace("A", "0x" + "a1".repeat(20))
            .replace("B", "0x" + "b2".repeat(20))
            .replace("[]", "%5B%5D");
    Reply reply = deployment().buy(Call.get(CRYPTO_DATA + "/wallet/labels/batch?" + query));
    assertThat(reply.json().path("data")).hasSize(2);
  }

  @Test
  void aParameterGivenTwiceIsRefused() {
    Call call = Call.get(CRYPTO_DATA + "/exchange/price?pair=BTC-USDT&pair=ETH-USDT");
    String payment = deployment().payment(call);
    Reply reply = deployment().send(call, payment);
    assertRefused(reply, 400, "invalid_params");
    assertThat(reply.message()).contains("pair");
    assertStillGood(payment, TICKER);
  }

  private void assertNamed(Endpoint endpoint, BadArguments bad, String payment) {
    Reply reply = deployment().send(bad.in(endpoint, deployment().examples()), payment);
    assertRefused(reply, 400, bad.code());
    assertThat(reply.message()).as(reply.toString()).contains(bad.name());
  }
}
