package dev.octroi.sandbox.prediction;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VendorErrorsTest {

  private static final VendorUnderTest VENDOR = new VendorUnderTest();
  private static final String UNKNOWN = "0x" + "9".repeat(64);
  private static final String BUSY = "0x" + "0".repeat(37) + "429";

  @AfterAll
  static void stop() {
    VENDOR.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/polymarket/market/ID",
        "/polymarket/market-price/ID",
        "/polymarket/candlesticks/ID",
        "/polymarket/candlesticks/token/ID",
        "/polymarket/markets/ID/volume",
        "/polymarket/markets/ID/open_interest",
        "/polymarket/leaderboard/market/ID",
        "/polymarket/market/ID/top-holders",
        "/polymarket/market/ID/smart-money?min_trades=100",
        "/polymarket/volume-chart/ID?start_time=1&end_time=2",
        "/polymarket/event/ID",
        "/polymarket/pricing/ID",
        "/polymarket/pricing/history/ID",
        "/polymarket/volume/ID",
        "/polymarket/orderbook/ID",
        "/polymarket/trades/ID",
        "/polymarket/related/ID",
        "/polymarket/comments/ID",
        "/polymarket/resolution/ID",
        "/polymarket/liquidity/ID",
        "/polymarket/orderbooks?token_id=ID&start_time=1&end_time=2",
        "/polymarket/uma/market/ID",
        "/kalshi/market/ID",
        "/kalshi/orderbooks?ticker=ID&start_time=1&end_time=2",
        "/dflow/market/ID",
        "/dflow/orderbook/ID",
        "/limitless/market/ID",
        "/opinion/market/ID",
        "/predictfun/market/ID",
        "/limitless/orderbooks?market_slug=ID&start_time=1&end_time=2",
        "/sports/markets/ID",
        "/sports/outcomes/ID",
        "/outcomes/ID",
      })
  void whatIsUnknownIsNotFoundInTheVendorsShape(String path) {
    HttpResponse<String> answer = VENDOR.send(path.replace("ID", UNKNOWN));

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(detail(answer).path("error").asText()).contains("ot ").isNotEmpty();
    assertThat(detail(answer).path("message").asText()).isNotEmpty();
  }

  @Test
  void anUnknownPathIsTheWordOfTheVendorsFramework() {
    HttpResponse<String> answer = VENDOR.send("/no/such/path");

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(detail(answer).asText()).isEqualTo("Not Found");
    assertThat(VENDOR.post("/polymarket/markets", "{}").statusCode()).isEqualTo(405);
  }

  private static JsonNode detail(HttpResponse<String> answer) {
    return VendorUnderTest.json(answer.body()).path("detail");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/polymarket/wallet/ID",
        "/polymarket/wallet/ID/markets",
        "/polymarket/wallet/ID/similar",
        "/polymarket/wallet/ID/cluster",
        "/polymarket/wallet/positions/ID",
        "/polymarket/wallet/pnl/ID?granularity=day",
        "/polymarket/wallet/identity/ID",
        "/polymarket/wallet/volume-chart/ID?start_time=1&end_time=2",
        "/polymarket/activity?wallet=ID",
        "/polymarket/rewards/ID",
        "/wallet/portfolio/ID",
        "/wallet/history/ID",
      })
  void theUnknownWalletIsNotFoundAndAMalformedOneIsRefused(String path) {
    assertThat(VENDOR.send(path.replace("ID", VendorUnderTest.UNKNOWN)).statusCode())
        .isEqualTo(404);
    assertThat(VENDOR.send(path.replace("ID", "0x12")).statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({
    "/markets/search, q, missing",
    "/polymarket/orderbooks?token_id=1, start_time, missing",
    "/polymarket/wallet/pnl/0xd8da6bf26964af9d7eed9e03e53415d37aa96045, granularity, missing",
    "/polymarket/uma/markets, state, missing",
    "/polymarket/markets?limit=0, limit, greater_than_equal",
    "/polymarket/markets?limit=101, limit, less_than_equal",
    "/polymarket/markets?limit=many, limit, int_parsing",
    "/polymarket/markets?status=resolved, status, enum",
    "/polymarket/leaderboard?window=24h, window, enum",
    "/binance/candles/DOGEUSDT, symbol, enum",
    "/polymarket/markets?colour=red, colour, extra_forbidden",
    "/limitless/markets?status=settled, status, enum",
  })
  void aMalformedParameterGetsTheVendorsValidationShape(String path, String name, String type) {
    HttpResponse<String> answer = VENDOR.send(path);

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(detail(answer).get(0).path("loc").get(1).asText()).isEqualTo(name);
    assertThat(detail(answer).get(0).path("type").asText()).isEqualTo(type);
    assertThat(detail(answer).get(0).path("msg").asText()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/polymarket/market/CONDITION/smart-money",
        "/polymarket/market/CONDITION/smart-money?min_roi=0.1",
        "/polymarket/markets/smart-activity",
        "/polymarket/trades",
        "/kalshi/trades",
        "/matching-markets",
        "/matching-markets?polymarket_market_id=1&kalshi_market_ticker=2",
        "/polymarket/events/keyset?pagination_key=nonsense",
        "/polymarket/candlesticks/CONDITION?interval=60&start_time=9&end_time=3",
      })
  void aCombinationThatMakesNoSenseIsRefused(String path) {
    JsonNode market = VENDOR.get("/polymarket/markets").path("markets").get(0);
    HttpResponse<String> answer =
        VENDOR.send(path.replace("CONDITION", market.path("condition_id").asText()));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(detail(answer).path("message").asText()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pricing/", "orderbook/", "liquidity/"})
  void aResolvedMarketHasNoLiveTradingLeft(String path) {
    JsonNode closed = VENDOR.get("/polymarket/markets?status=closed").path("markets").get(0);
    String id = closed.path("condition_id").asText();
    HttpResponse<String> answer = VENDOR.send("/polymarket/" + path + id);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(detail(answer).path("error").asText()).isEqualTo("Market closed");
    assertThat(VENDOR.get("/polymarket/candlesticks/" + id + "?interval=1440")).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "candlesticks/",
        "trades/",
        "pricing/",
        "pricing/history/",
        "orderbook/",
        "liquidity/",
        "leaderboard/market/",
      })
  void theArchivedMarketSaysThatItIsClosed(String path) {
    HttpResponse<String> answer = VENDOR.send("/polymarket/" + path + VendorUnderTest.ARCHIVED);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(detail(answer).path("error").asText()).isEqualTo("Market closed");
    assertThat(VENDOR.get("/polymarket/market/" + VendorUnderTest.ARCHIVED).path("status").asText())
        .isEqualTo("closed");
  }

  @Test
  void theBusyWalletIsRateLimitedInAFlatShape() {
    HttpResponse<String> answer = VENDOR.send("/polymarket/wallet/" + BUSY);

    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(VendorUnderTest.json(answer.body()).path("error").asText())
        .isEqualTo("Too Many Requests");
    assertThat(answer.headers().firstValue("RateLimit-Remaining")).contains("0");
  }

  @Test
  void aPendingClusterIsAcceptedAndSaysWhenToComeBack() {
    HttpResponse<String> answer =
        VENDOR.send("/polymarket/wallet/" + VendorUnderTest.PENDING + "/cluster");

    assertThat(answer.statusCode()).isEqualTo(202);
    assertThat(answer.headers().firstValue("Retry-After")).contains("60");
    assertThat(VendorUnderTest.json(answer.body()).path("status").asText())
        .isEqualTo("compute_pending");
  }

  @Test
  void moreThanTwoHundredIdentitiesAreRefused() {
    String many = "\"0xd8da6bf26964af9d7eed9e03e53415d37aa96045\",".repeat(200);
    String body = "{\"addresses\":[" + many + many.substring(0, 44) + "]}";

    assertThat(VENDOR.post("/polymarket/wallet/identities", body).statusCode()).isEqualTo(422);
    assertThat(VENDOR.post("/polymarket/wallet/identities", "{").statusCode()).isEqualTo(422);
  }

  @Test
  void pagesDoNotMoveWhileTimeDoes() {
    AtomicReference<Instant> now = new AtomicReference<>(VendorUnderTest.NOW);
    Clock clock =
        new Clock() {
          @Override
          public java.time.ZoneId getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(java.time.ZoneId zone) {
            return this;
          }

          @Override
          public Instant instant() {
            return now.get();
          }
        };
    String path = "/kalshi/trades?limit=10&ticker=KXSENATE-26DEC31-DEMOCRATS";
    JsonNode both = VENDOR.get(path.replace("=10", "=20")).path("trades");
    try (VendorUnderTest moving = new VendorUnderTest(clock)) {
      JsonNode first = moving.get(path);
      now.set(VendorUnderTest.NOW.plus(Duration.ofHours(5)));
      String key = first.path("pagination").path("pagination_key").asText();
      JsonNode second = moving.get(path + "&pagination_key=" + key);

      assertThat(first.path("trades").get(0)).isEqualTo(both.get(0));
      assertThat(second.path("trades").get(0)).isEqualTo(both.get(10));
      assertThat(moving.get(path).path("trades").get(0)).isNotEqualTo(both.get(0));
    }
  }

  @Test
  void aNewMonthKeepsTheIdentifiersAndOpensNewGames() {
    Instant later = VendorUnderTest.NOW.plus(Duration.ofDays(40));
    try (VendorUnderTest next = new VendorUnderTest(Clock.fixed(later, ZoneOffset.UTC))) {
      JsonNode market =
          next.get(
                  "/polymarket/markets?event_slug=which-party-will-control-the-senate-on-december-31-2026")
              .path("markets");
      JsonNode before =
          VENDOR
              .get(
                  "/polymarket/markets?event_slug=which-party-will-control-the-senate-on-december-31-2026")
              .path("markets");

      assertThat(market.findValuesAsText("condition_id"))
          .containsExactlyInAnyOrderElementsOf(before.findValuesAsText("condition_id"));
      assertThat(next.get("/sports/markets?status=open").path("games")).isNotEmpty();
      assertThat(next.get("/sports/markets?status=closed").path("games")).isNotEmpty();
    }
  }
}
