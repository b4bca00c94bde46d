package dev.octroi.sandbox.prediction;

import static dev.octroi.sandbox.prediction.VendorUnderTest.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MarketConsistencyTest {

  private static final VendorUnderTest VENDOR = new VendorUnderTest();
  private static final JsonNode MARKET =
      VENDOR.get("/polymarket/markets?status=open").path("markets").get(0);
  private static final String CONDITION = MARKET.path("condition_id").asText();
  private static final String TOKEN = token(MARKET, 0);

  @AfterAll
  static void stop() {
    VENDOR.close();
  }

  private static String token(JsonNode market, int side) {
    return market.path("outcomes").get(side).path("token_id").asText();
  }

  private static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  private static List<Double> numbers(JsonNode array, String name) {
    return list(array).stream().map(row -> row.path(name).asDouble()).toList();
  }

  /** Points of one side of a finished game: the fewest and the most. */
  @ParameterizedTest
  @CsvSource({"soccer, 0, 6", "hockey, 0, 11", "baseball, 0, 9", "basketball, 70, 145"})
  void aGamesScoreIsOneOfItsSport(String sport, int least, int most) {
    JsonNode games =
        VENDOR.get("/sports/live?live_only=false&limit=200&sport=" + sport).path("live_states");

    assertThat(games).hasSizeGreaterThan(5);
    int ended = 0;
    for (JsonNode game : games) {
      if (game.path("score").path("home").isNull()) {
        continue;
      }
      int home = game.at("/score/home").intValue();
      int away = game.at("/score/away").intValue();
      assertThat(List.of(home, away)).as("%s", game).allMatch(points -> points <= most);
      if (game.path("ended").booleanValue()) {
        ended++;
        assertThat(List.of(home, away)).as("%s", game).allMatch(points -> points >= least);
        assertThat(home).as("%s", game).isNotEqualTo(away);
      }
    }
    assertThat(ended).isPositive();
  }

  @Test
  void yesAndNoTogetherCostOne() {
    for (JsonNode market : VENDOR.all("/polymarket/markets/keyset?limit=100", "markets")) {
      double yes = market.path("outcomes").get(0).path("price").asDouble();
      double no = market.path("outcomes").get(1).path("price").asDouble();
      assertThat(yes + no).isCloseTo(1, within(1e-9));
    }
  }

  @Test
  void thePriceLiesBetweenBidAndAskOfASortedBook() {
    for (JsonNode market : VENDOR.get("/polymarket/markets?status=open&limit=50").path("markets")) {
      String id = market.path("condition_id").asText();
      JsonNode book = VENDOR.get("/polymarket/orderbook/" + id);
      double price = market.path("outcomes").get(0).path("price").asDouble();
      List<Double> bids = numbers(book.path("bids"), "price");
      List<Double> asks = numbers(book.path("asks"), "price");
      assertThat(bids).isSortedAccordingTo((a, b) -> Double.compare(b, a)).allMatch(b -> b < price);
      assertThat(asks).isSorted().allMatch(ask -> ask > price && ask < 1);
      JsonNode quote = VENDOR.get("/polymarket/pricing/" + id).path("yes");
      assertThat(quote.path("best_bid").asDouble()).isEqualTo(bids.get(0));
      assertThat(quote.path("best_ask").asDouble()).isEqualTo(asks.get(0));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "60", "1440"})
  void candlesAreOrderedAndTheirBoundsHold(String interval) {
    JsonNode candles =
        VENDOR
            .get("/polymarket/candlesticks/" + CONDITION + "?interval=" + interval)
            .path("candlesticks");

    assertThat(candles).hasSizeGreaterThan(20);
    assertThat(numbers(candles, "end_period_ts")).isSorted();
    for (JsonNode candle : candles) {
      JsonNode price = candle.path("price");
      double low = price.path("low").asDouble();
      double high = price.path("high").asDouble();
      assertThat(price.path("open").asDouble()).isBetween(low, high);
      assertThat(price.path("close").asDouble()).isBetween(low, high);
    }
  }

  @Test
  void aCandleClosesAtThePriceOfItsEnd() {
    String candles = "/polymarket/candlesticks/token/" + TOKEN + "?interval=60";
    for (JsonNode candle : VENDOR.get(candles).path("candlesticks")) {
      String time = candle.path("end_period_ts").asText();
      JsonNode price = VENDOR.get("/polymarket/market-price/" + TOKEN + "?at_time=" + time);
      assertThat(price.path("price")).isEqualTo(candle.path("price").path("close"));
    }
  }

  @Test
  void theCandlesOfTheNoTokenMirrorThoseOfTheYesToken() {
    String query = "?interval=60";
    JsonNode yes = VENDOR.get("/polymarket/candlesticks/token/" + TOKEN + query);
    JsonNode no = VENDOR.get("/polymarket/candlesticks/token/" + token(MARKET, 1) + query);
    double up = yes.path("candlesticks").get(3).path("price").path("high").asDouble();
    double down = no.path("candlesticks").get(3).path("price").path("low").asDouble();
    assertThat(up + down).isCloseTo(1, within(1e-9));
  }

  @Test
  void theWindowOfASeriesIsHonoured() {
    long start = SECOND - 20 * 3_600;
    long end = SECOND - 10 * 3_600;
    String window = "?start_time=" + start + "&end_time=" + end;
    List<Double> times = new ArrayList<>();
    times.addAll(
        numbers(
            VENDOR
                .get("/polymarket/candlesticks/" + CONDITION + window + "&interval=60")
                .path("candlesticks"),
            "end_period_ts"));
    times.addAll(
        numbers(
            VENDOR.get("/polymarket/volume-chart/" + CONDITION + window).path("data"),
            "timestamp"));
    times.addAll(
        numbers(
            VENDOR.get("/binance/candles/BTCUSDT" + window + "&interval=1h").path("candles"),
            "timestamp"));

    assertThat(times).hasSizeGreaterThan(25).allMatch(time -> time >= start && time <= end);
  }

  @Test
  void theVolumesOfLongerWindowsContainTheShorter() {
    JsonNode volumes = VENDOR.get("/polymarket/volume/" + CONDITION);
    List<Double> growing =
        List.of(
            volumes.path("volume_1d").asDouble(),
            volumes.path("volume_7d").asDouble(),
            volumes.path("volume_30d").asDouble(),
            volumes.path("total_volume_usd").asDouble());

    assertThat(growing).isSorted();
    assertThat(volumes.path("total_volume_usd")).isEqualTo(MARKET.path("total_volume_usd"));
    assertThat(volumes.path("volume_7d"))
        .isEqualTo(MARKET.path("rolling_metrics").path("volume_7d"));
  }

  @Test
  void theSidesOfAVolumeChartAddUp() {
    String window =
        "?start_time=" + (SECOND - 864_000) + "&end_time=" + SECOND + "&granularity=day";
    JsonNode data = VENDOR.get("/polymarket/volume-chart/" + CONDITION + window).path("data");

    assertThat(data).hasSizeGreaterThan(8);
    for (JsonNode row : data) {
      double sides = row.path("yes_volume").asDouble() + row.path("no_volume").asDouble();
      assertThat(sides).isCloseTo(row.path("total_volume").asDouble(), within(0.011));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "status=open, status, open",
    "status=closed, status, closed",
    "event_slug=which-party-will-control-the-senate-on-december-31-2026, event_slug, which-party-will-control-the-senate-on-december-31-2026",
  })
  void filtersOfMarketsAreHonoured(String query, String field, String value) {
    JsonNode markets = VENDOR.get("/polymarket/markets?limit=100&" + query).path("markets");

    assertThat(markets).isNotEmpty().allMatch(row -> row.path(field).asText().equals(value));
  }

  @Test
  void tagsSearchAndBoundsNarrowTheMarkets() {
    JsonNode tagged = VENDOR.get("/polymarket/markets?tags=science&limit=100").path("markets");
    JsonNode found = VENDOR.get("/polymarket/markets?search=bitcoin&limit=100").path("markets");
    JsonNode large = VENDOR.get("/polymarket/markets?min_volume=5000000&limit=100").path("markets");

    assertThat(tagged).hasSizeGreaterThan(5);
    assertThat(tagged).allMatch(row -> row.path("tags").toString().contains("science"));
    assertThat(found).isNotEmpty();
    assertThat(found).allMatch(row -> row.path("title").asText().contains("Bitcoin"));
    assertThat(large).isNotEmpty();
    assertThat(large).allMatch(row -> row.path("total_volume_usd").asDouble() >= 5_000_000);
  }

  @ParameterizedTest
  @CsvSource({"volume, total_volume_usd", "volume_1d, volume_1d", "trades_7d, trades_7d"})
  void marketsAreSortedAsAsked(String sort, String field) {
    JsonNode markets = VENDOR.get("/polymarket/markets?limit=100&sort=" + sort).path("markets");
    List<Double> values =
        list(markets).stream()
            .map(row -> row.has(field) ? row : row.path("rolling_metrics"))
            .map(row -> row.path(field).asDouble())
            .toList();

    assertThat(values).isSortedAccordingTo((a, b) -> Double.compare(b, a));
  }

  @Test
  void pagesByOffsetMoveWithoutOverlapAndEnd() {
    Set<String> seen = new HashSet<>();
    int offset = 0;
    JsonNode page = VENDOR.get("/polymarket/markets?limit=37");
    while (page.path("pagination").path("has_more").asBoolean()) {
      page.path("markets")
          .forEach(row -> assertThat(seen.add(row.path("condition_id").asText())).isTrue());
      offset += 37;
      page = VENDOR.get("/polymarket/markets?limit=37&offset=" + offset);
    }
    page.path("markets")
        .forEach(row -> assertThat(seen.add(row.path("condition_id").asText())).isTrue());

    assertThat(seen).hasSize(page.path("pagination").path("total").asInt());
  }

  @ParameterizedTest
  @CsvSource({
    "/polymarket/markets/keyset?limit=17, markets, condition_id",
    "/polymarket/events/keyset?limit=7, events, id",
    "/polymarket/leaderboard?limit=9, entries, user",
    "/kalshi/markets?limit=11, markets, ticker",
    "/matching-markets/pairs?limit=10, pairs, POLYMARKET",
    "/markets/listings?limit=100, listings, token_id",
    "/sports/markets?limit=3, games, game_id",
    "/polymarket/uma/markets?state=resolved&limit=4, items, question",
    "/limitless/markets?limit=5, markets, market_id",
  })
  void pagesByKeyMoveWithoutOverlapAndEnd(String path, String name, String id) {
    List<String> ids = VENDOR.all(path, name).stream().map(row -> row.path(id).toString()).toList();

    assertThat(ids).hasSizeGreaterThan(5).doesNotHaveDuplicates();
  }

  @Test
  void tradesPageThroughAWindowInOrder() {
    String path = "/kalshi/trades?limit=50&ticker=KXSENATE-26DEC31-DEMOCRATS";
    List<JsonNode> trades = VENDOR.all(path, "trades");
    List<Double> times = trades.stream().map(row -> row.path("created_time").asDouble()).toList();

    assertThat(trades).hasSizeGreaterThan(500);
    assertThat(times).isSortedAccordingTo((a, b) -> Double.compare(b, a));
    for (JsonNode trade : trades) {
      double both = trade.path("yes_price").asDouble() + trade.path("no_price").asDouble();
      assertThat(both).isCloseTo(1, within(1e-9));
    }
  }

  @Test
  void snapshotsOfBooksLieInTheirWindowOfMilliseconds() {
    long start = (SECOND - 3_600) * 1_000;
    long end = SECOND * 1_000;
    String query =
        "/polymarket/orderbooks?limit=20&token_id="
            + TOKEN
            + "&start_time="
            + start
            + "&end_time="
            + end;
    List<JsonNode> snapshots = VENDOR.all(query, "snapshots");

    assertThat(snapshots).hasSize(60);
    assertThat(snapshots.stream().map(row -> row.path("timestamp").asLong()).toList())
        .isSorted()
        .doesNotHaveDuplicates()
        .allMatch(time -> time >= start && time <= end);
  }

  @Test
  void theIdentifiersOfAMarketAllLeadToIt() {
    for (String name : List.of("condition_id", "question_id", "market_id", "market_slug")) {
      JsonNode found = VENDOR.get("/polymarket/market/" + MARKET.path(name).asText());
      assertThat(found).isEqualTo(MARKET);
    }
    assertThat(VENDOR.get("/polymarket/market/" + TOKEN)).isEqualTo(MARKET);
    JsonNode event = VENDOR.get("/polymarket/event/" + MARKET.path("event_slug").asText());
    assertThat(list(event.path("markets"))).contains(MARKET);
  }

  @Test
  void windowsOfUpAndDownAreMarketsAndEndAsTheExchangeSays() {
    JsonNode closed =
        VENDOR
            .get("/polymarket/crypto-updown?asset=btc&timeframe=15m&status=closed")
            .path("markets");

    assertThat(closed).hasSize(48);
    for (JsonNode window : closed) {
      JsonNode market = VENDOR.get("/polymarket/market/" + window.path("condition_id").asText());
      assertThat(market.path("winning_side")).isEqualTo(window.path("winning_side"));
      long start = java.time.Instant.parse(window.path("start_time").asText()).getEpochSecond();
      JsonNode candle =
          VENDOR
              .get(
                  "/binance/candles/BTCUSDT?interval=15m&start_time="
                      + start
                      + "&end_time="
                      + start)
              .path("candles")
              .get(0);
      boolean rose = candle.path("close").asDouble() >= candle.path("open").asDouble();
      assertThat(window.path("winning_side").asText()).isEqualTo(rose ? "Up" : "Down");
      String token = window.path("up_token_id").asText();
      JsonNode price = VENDOR.get("/polymarket/market-price/" + token);
      assertThat(price.path("price").asDouble()).isEqualTo(rose ? 1 : 0);
    }
  }

  @Test
  void exchangeTicksBracketTheirMiddle() {
    String window = "?start_time=" + (SECOND - 60) + "&end_time=" + SECOND;
    JsonNode ticks = VENDOR.get("/binance/ticks/ETHUSDT" + window).path("ticks");

    assertThat(ticks).hasSize(61);
    for (JsonNode tick : ticks) {
      double middle = tick.path("mid_price").asDouble();
      assertThat(tick.path("bid_price").asDouble()).isLessThan(middle);
      assertThat(tick.path("ask_price").asDouble()).isGreaterThan(middle);
    }
  }
}
