package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors: status, code, shape, and that none of them is charged. */
abstract class ErrorsBehaviour extends Behaviour {

  private static final String SQL = CRYPTO_DATA + "/onchain/sql";
  private static final String GOOD_SQL = "{\"sql\":\"SELECT 1 AS one\"}";
  private static final String IDENTITIES = PREDICTION + "/venue-a/wallet/identities";

  /** Three tables times each other: more than any machine counts in 30 s. */
  private static final String ENDLESS =
      "SELECT COUNT(*) FROM ethereum.transactions a, ethereum.transactions b, ethereum.transfers c"
          + " WHERE a.gas_used + b.gas_used + c.amount_usd < 0";

  @ParameterizedTest
  @ValueSource(
      strings = {"BTCUSDT", "BTC_USDT", "B-USDT", "BTC-", "-", "BTC-USDT-PERP", "BTC%20-USDT"})
  @Tag("spec:error.crypto.invalid_pair")
  @Tag("spec:rule.crypto.1")
  void aPairThatIsNotBaseDashQuoteIsInvalid(String pair) {
    Call call = Call.get(CRYPTO_DATA + "/exchange/price?pair=" + pair);
    assertRefused(deployment().pay(call), 400, "invalid_pair");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELEC 1",
        "SELECT * FROM nothing.here",
        "SELECT 1; SELECT 2",
        "DROP TABLE ethereum.transfers",
        "INSERT INTO ethereum.transfers VALUES (1)",
        "UPDATE ethereum.transfers SET amount_usd = 0"
      })
  @Tag("spec:error.crypto.sql_syntax_error")
  @Tag("spec:rule.crypto.2")
  @ResourceLock(SQL_ENGINE)
  void anythingButOneGoodSelectIsASyntaxError(String sql) {
    Call good = Call.post(SQL, GOOD_SQL);
    String payment = deployment().payment(good);
    Reply reply = deployment().send(good.body("{\"sql\":\"" + sql + "\"}"), payment);
    assertRefused(reply, 400, "sql_syntax_error");
    assertStillGood(payment, good);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[]", "{\"sql\":1}", "{\"sql\":\"\"}", "{\"sql\":", "\"SELECT 1\""})
  @Tag("spec:error.crypto.invalid_params")
  void aBodyWithoutSqlIsInvalid(String body) {
    assertRefused(deployment().pay(Call.post(SQL, body)), 400, "invalid_params");
  }

  @Test
  @Tag("slow")
  @Tag("spec:error.crypto.query_timeout")
  @Tag("spec:rule.crypto.2")
  @Tag("spec:limit.sql_execution_time")
  @ResourceLock(SQL_ENGINE)
  void aQueryOverThirtySecondsTimesOutAndCostsNothing() {
    Call good = Call.post(SQL, GOOD_SQL);
    String payment = deployment().payment(good);
    Reply reply = deployment().send(good.body("{\"sql\":\"" + ENDLESS + "\"}"), payment);
    assertRefused(reply, 408, "query_timeout");
    assertStillGood(payment, good);
  }

  @Test
  @Tag("spec:limit.batch_labels")
  @Tag("spec:rule.crypto.3")
  void labelsAreGivenForAHundredAddressesAndNoMore() {
    Call hundred = Call.get(CRYPTO_DATA + "/wallet/labels/batch?addresses=" + addresses(100));
    String payment = deployment().payment(hundred);
    Call more = Call.get(CRYPTO_DATA + "/wallet/labels/batch?addresses=" + addresses(101));
    Reply refused = deployment().send(more, payment);
    assertRefused(refused, 400, "invalid_params");
    assertThat(refused.message()).contains("addresses");
    Reply bought = deployment().send(hundred, payment);
    assertThat(bought.status()).as(bought.toString()).isEqualTo(200);
    assertThat(bought.json().path("data")).hasSize(100);
  }

  @ParameterizedTest
  @CsvSource({
    "/fund/detail?slug=octroi-no-such",
    "/project/detail?slug=octroi-no-such",
    "/news/detail?id=ffffffffffffffffffffffff",
    "/social/user?handle=octroi_no_such",
    "/wallet/detail?address=0x0c72010000000000000000000000000000000000",
    "/prediction-market/venue-b/prices?ticker=OCTROI-NO-SUCH"
  })
  @Tag("spec:error.crypto.not_found")
  @Tag("spec:rule.crypto.4")
  void whatIsUnknownIsNotFound(String path) {
    String payment = deployment().openPayment(TICKER);
    assertRefused(deployment().send(Call.get(CRYPTO_DATA + path), payment), 404, "not_found");
    assertStillGood(payment, TICKER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/venue-a/wallet/name.eth",
        "/venue-a/wallet/identity/0x12",
        "/venue-a/activity?wallet=name.eth",
        "/venue-c/wallet/pnl/0x0000000000000000000000000000000000000001",
        "/wallet/portfolio/name.eth"
      })
  @Tag("spec:error.prediction.invalid_address")
  @Tag("spec:rule.prediction.8")
  void anAddressThatIsNoneIsInvalid(String path) {
    assertRefused(deployment().pay(Call.get(PREDICTION + path)), 400, "invalid_address");
  }

  @Test
  @Tag("spec:error.prediction.invalid_address")
  void identitiesAreTakenForAHundredAddressesAndNoMore() {
    Call good = Call.post(IDENTITIES, "{\"addresses\":[" + quoted(100) + "]}");
    String payment = deployment().payment(good);
    Reply more = deployment().send(good.body("{\"addresses\":[" + quoted(101) + "]}"), payment);
    assertRefused(more, 400, "invalid_params");
    Reply name = deployment().send(good.body("{\"addresses\":[\"name.eth\"]}"), payment);
    assertRefused(name, 400, "invalid_address");
    assertStillGood(payment, good);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/venue-a/market/0x0000000000000000000000000000000000000000000000000000000000000000",
        "/venue-b/market/OCTROI-NO-SUCH",
        "/venue-a/market-price/1"
      })
  @Tag("spec:error.prediction.market_not_found")
  void anUnknownMarketIsNotFound(String path) {
    assertRefused(deployment().pay(Call.get(PREDICTION + path)), 404, "market_not_found");
  }

  @Test
  @Tag("spec:error.prediction.market_closed")
  void theBookOfAResolvedMarketIsClosed() {
    Call closed = Call.get(PREDICTION + "/venue-d/markets?limit=1&status=closed");
    String slug = deployment().buy(closed).json().at("/markets/0/market_slug").asText();
    Call book =
        Call.get(
            PREDICTION
                + "/venue-d/orderbooks?start_time=1795132800&end_time=1795219200&market_slug="
                + slug);
    assertRefused(deployment().pay(book), 404, "market_closed");
  }

  @Test
  @Tag("spec:error.prediction.upstream")
  void otherErrorsOfThePredictionUpstreamKeepTheirShape() {
    Reply reply =
        deployment().pay(Call.get(PREDICTION + "/venue-a/positions?pagination_key=octroi"));
    assertThat(reply.status()).as(reply.toString()).isBetween(400, 499).isNotEqualTo(402);
    assertThat(reply.json().has("detail")).as(reply.toString()).isTrue();
    assertUncharged(reply);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/marketplace/cryptodata/no/such/path",
        "/v1/marketplace/cryptodata",
        "/v1/marketplace/prediction/venue-z/markets",
        "/v1/marketplace/prediction/venue-a/market",
        "/v1/marketplace/nothing",
        "/v2/marketplace/cryptodata/exchange/price",
        "/v1"
      })
  @Tag("spec:error.status.404")
  @Tag("spec:error.shape.flat")
  void aPathThatIsNotThereIsNotFoundAndNotSold(String path) {
    assertFlat(deployment().send(Call.get(path)), 404);
    String payment = deployment().payment(TICKER);
    assertFlat(deployment().send(Call.get(path), payment), 404);
    assertStillGood(payment, TICKER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE"})
  @Tag("spec:error.status.405")
  @Tag("spec:error.shape.flat")
  void anotherMethodIsNotAllowedOnARead(String method) {
    Call call = new Call(method, TICKER.target(), java.util.Map.of(), null);
    assertFlat(deployment().send(call), 405);
  }

  @Test
  @Tag("spec:error.status.405")
  void aPostCannotBeRead() {
    Reply reply = deployment().send(Call.get(SQL));
    assertThat(reply.status()).as(reply.toString()).isIn(404, 405);
    assertUncharged(reply);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "application/xml"})
  @Tag("spec:error.status.415")
  @Tag("spec:error.shape.flat")
  @ResourceLock(SQL_ENGINE)
  void aBodyThatIsNotJsonIsNotSupported(String type) {
    Call good = Call.post(SQL, GOOD_SQL);
    String payment = deployment().payment(good);
    assertFlat(deployment().send(good.with("Content-Type", type), payment), 415);
    assertStillGood(payment, good);
  }

  @Test
  @Tag("spec:error.status.413")
  @Tag("spec:error.shape.flat")
  @Tag("spec:limit.request_body")
  @ResourceLock(SQL_ENGINE)
  void aBodyOfMoreThanFourMebibytesIsTooLarge() {
    Call good = Call.post(SQL, GOOD_SQL);
    String payment = deployment().payment(good);
    String large = "{\"sql\":\"SELECT 1\",\"padding\":\"" + "x".repeat(4 << 20) + "\"}";
    assertFlat(deployment().send(good.body(large), payment), 413);
    assertStillGood(payment, good);
  }

  private static String addresses(int count) {
    return IntStream.range(0, count)
        .mapToObj(ErrorsBehaviour::address)
        .collect(Collectors.joining(","));
  }

  private static String quoted(int count) {
    return IntStream.range(0, count)
        .mapToObj(number -> "\"" + address(number) + "\"")
        .collect(Collectors.joining(","));
  }

  private static String address(int number) {
    return String.format("0x%040x", 0xfeed_0000L + number);
  }
}
