package dev.octroi.sandbox.cryptodata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What different answers say fits together. */
class CryptoDataConsistencyTest {

  private static final String WALLET = "0xd8da6bf26964af9d7eed9e03e53415d37aa96045";
  private static final Offset<Double> CENT = within(0.011);
  private static final VendorServer SERVER = new VendorServer();

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"BTC/USDT", "PEPE/USDT", "ETH/BTC", "SOL/USD", "BTC/USDT:USDT"})
  void aPriceLiesBetweenBidAndAskAndWithinItsDay(String pair) throws Exception {
    JsonNode ticker = SERVER.get("/exchange/price?pair=" + pair).data().get(0);

    assertThat(number(ticker, "bid")).isLessThan(number(ticker, "last"));
    assertThat(number(ticker, "last")).isLessThan(number(ticker, "ask"));
    assertThat(number(ticker, "low_24h")).isLessThanOrEqualTo(number(ticker, "last"));
    assertThat(number(ticker, "high_24h")).isGreaterThanOrEqualTo(number(ticker, "last"));
    assertThat(ticker.path("pair").asText()).isEqualTo(pair);
  }

  @Test
  void eventsOfSeveralTagsAreListedByTheirVolume() throws Exception {
    JsonNode events =
        SERVER
            .get("/search/{venue-a}?limit=100&tags=Crypto,Politics,Sports,Science,Pop%20Culture")
            .data();

    assertThat(events).hasSizeGreaterThan(3);
    assertThat(numbers(events, "volume_total"))
        .isSortedAccordingTo((left, right) -> right.compareTo(left));
    for (JsonNode event : events) {
      assertThat(event.path("markets")).hasSize(event.path("market_count").asInt()).isNotEmpty();
    }
  }

  @Test
  void anOrderBookIsSortedAndSurroundsTheTickersPrice() throws Exception {
    JsonNode book = SERVER.get("/exchange/depth?pair=PEPE/USDT&limit=50").data().get(0);
    JsonNode ticker = SERVER.get("/exchange/price?pair=PEPE/USDT").data().get(0);
    List<Double> bids = numbers(book.path("bids"), "price");
    List<Double> asks = numbers(book.path("asks"), "price");

    assertThat(bids).hasSize(50).isSortedAccordingTo((left, right) -> right.compareTo(left));
    assertThat(asks).hasSize(50).isSorted();
    assertThat(number(ticker, "last")).isBetween(bids.get(0), asks.get(0));
    assertThat(number(book, "spread")).isCloseTo(asks.get(0) - bids.get(0), within(1e-12));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1m", "1h", "1d", "1M"})
  void candlesAreOrderedAndHoldTheirPrices(String interval) throws Exception {
    JsonNode answer =
        SERVER.get("/exchange/klines?pair=ETH/USDT&limit=40&interval=" + interval).data().get(0);
    List<Double> times = numbers(answer.path("candles"), "timestamp");

    assertThat(times).hasSize(40).isSorted().doesNotHaveDuplicates();
    for (JsonNode candle : answer.path("candles")) {
      double low = number(candle, "low");
      double high = number(candle, "high");
      assertThat(number(candle, "open")).isBetween(low, high);
      assertThat(number(candle, "close")).isBetween(low, high);
      assertThat(number(answer, "period_high")).isGreaterThanOrEqualTo(high);
      assertThat(number(answer, "period_low")).isLessThanOrEqualTo(low);
    }
  }

  @Test
  void theNewestCandleClosesAtTheTickersPrice() throws Exception {
    JsonNode candles =
        SERVER.get("/exchange/klines?pair=BTC/USDT&limit=2").data().get(0).path("candles");
    double last = number(SERVER.get("/exchange/price?pair=BTC/USDT").data().get(0), "last");

    assertThat(number(candles.get(1), "close")).isEqualTo(last);
    assertThat(number(candles.get(0), "close")).isEqualTo(number(candles.get(1), "open"));
  }

  @Test
  void candlesOfATimeStartThere() throws Exception {
    JsonNode candles =
        SERVER
            .get("/exchange/klines?pair=BTC/USDT&limit=3&from=2026-11-01T00:00:00Z")
            .data()
            .get(0)
            .path("candles");

    assertThat(numbers(candles, "timestamp"))
        .containsExactly(1793491200d, 1793494800d, 1793498400d);
  }

  @Test
  void aCoinHasOnePriceInEveryAnswer() throws Exception {
    JsonNode ranked = find(SERVER.get("/market/ranking?limit=100").data(), "symbol", "UNI");
    JsonNode project = SERVER.get("/project/detail?q=uniswap").data().path("token_info");
    JsonNode series = SERVER.get("/market/price?symbol=UNI&time_range=1d").json();

    assertThat(number(project, "price_usd")).isEqualTo(number(ranked, "price_usd"));
    assertThat(number(project, "market_cap_usd")).isEqualTo(number(ranked, "market_cap_usd"));
    assertThat(series.path("summary").path("last").asDouble())
        .isEqualTo(number(ranked, "price_usd"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"market_cap", "change_24h", "volume_24h"})
  void aRankingIsSortedAsAsked(String metric) throws Exception {
    String field = metric.equals("change_24h") ? "change_24h_pct" : metric + "_usd";
    String path = "/market/ranking?limit=100&sort_by=" + metric;

    assertThat(numbers(SERVER.get(path + "&order=asc").data(), field)).isSorted();
    assertThat(numbers(SERVER.get(path).data(), field))
        .isSortedAccordingTo((left, right) -> right.compareTo(left));
  }

  @Test
  void aCategoryHoldsItsCoinsOnly() throws Exception {
    assertThat(texts(SERVER.get("/market/ranking?category=MEME").data(), "symbol"))
        .containsExactlyInAnyOrder("DOGE", "PEPE", "SHIB");
  }

  @Test
  void aWalletsTokensChainsAndNetWorthSumUp() throws Exception {
    JsonNode detail = SERVER.get("/wallet/detail?address=" + WALLET).data();
    JsonNode worth = SERVER.get("/wallet/net-worth?address=" + WALLET).data();
    double total = detail.path("evm_balance").path("total_usd").asDouble();

    assertThat(sum(detail.path("evm_tokens"), "usd_value")).isCloseTo(total, CENT);
    assertThat(sum(detail.path("active_chains"), "usd_value")).isCloseTo(total, CENT);
    assertThat(number(worth.get(worth.size() - 1), "usd_value")).isEqualTo(total);
  }

  @Test
  void aProtocolsPositionsSumUp() throws Exception {
    for (JsonNode protocol : SERVER.get("/wallet/protocols?address=" + WALLET).data()) {
      assertThat(sum(protocol.path("positions"), "balance_usd"))
          .isCloseTo(number(protocol, "total_usd"), CENT);
    }
  }

  @Test
  void theSidesOfAMarketMakeADollar() throws Exception {
    String query = "?ticker=KXBTC-26DEC31-T150000&time_range=7d&interval=1h";
    for (JsonNode point : SERVER.get("/prediction-market/{venue-b}/prices" + query).data()) {
      double yes = point.path("side_a").path("price").asDouble();
      assertThat(yes + point.path("side_b").path("price").asDouble()).isCloseTo(1, within(1e-9));
      assertThat(yes).isBetween(number(point, "low"), number(point, "high"));
    }
  }

  @Test
  void liquidationsOfAllExchangesSumUp() throws Exception {
    JsonNode rows = SERVER.get("/market/liquidation/exchange-list").data();
    double all = number(find(rows, "exchange", "All"), "liquidation_usd");

    assertThat(sum(rows, "liquidation_usd")).isCloseTo(2 * all, within(0.5));
  }

  @Test
  void aDefiRankingAgreesWithItself() throws Exception {
    for (JsonNode row : SERVER.get("/project/defi/ranking?metric=fees").data()) {
      assertThat(number(row, "revenue")).isLessThan(number(row, "fees"));
      assertThat(number(row, "fees")).isLessThan(number(row, "volume"));
    }
  }

  @Test
  void aFilterOnTimeIsHonoured() throws Exception {
    long from = VendorServer.NOW.getEpochSecond() - 7_200;
    JsonNode orders = SERVER.get("/market/liquidation/order?limit=100&from=" + from).data();

    assertThat(orders).isNotEmpty();
    assertThat(numbers(orders, "timestamp")).allMatch(time -> time >= from);
  }

  @Test
  void thePostsOfAnAccountCanBeLookedUp() throws Exception {
    JsonNode post = SERVER.get("/social/user/posts?handle=ada_ledger&limit=1").data().get(0);
    String id = post.path("tweet_id").asText();

    assertThat(SERVER.get("/social/tweets?ids=" + id).data().get(0)).isEqualTo(post);
  }

  @Test
  void theArticlesOfTheFeedCanBeLookedUp() throws Exception {
    JsonNode article = SERVER.get("/news/feed?project=aave&limit=1").data().get(0);
    JsonNode found = SERVER.get("/news/detail?id=" + article.path("id").asText()).data();

    assertThat(article.path("project_name").asText()).isEqualTo("Aave");
    assertThat(found.path("title")).isEqualTo(article.path("title"));
  }

  private static double number(JsonNode node, String field) {
    assertThat(node.path(field).isNumber()).as(field + " of " + node).isTrue();
    return node.path(field).asDouble();
  }

  private static List<Double> numbers(JsonNode list, String field) {
    List<Double> numbers = new ArrayList<>();
    list.forEach(node -> numbers.add(number(node, field)));
    return numbers;
  }

  private static List<String> texts(JsonNode list, String field) {
    return StreamSupport.stream(list.spliterator(), false)
        .map(node -> node.path(field).asText())
        .toList();
  }

  private static double sum(JsonNode list, String field) {
    return numbers(list, field).stream().mapToDouble(Double::doubleValue).sum();
  }

  private static JsonNode find(JsonNode list, String field, String value) {
    return StreamSupport.stream(list.spliterator(), false)
        .filter(node -> node.path(field).asText().equals(value))
        .findFirst()
        .orElseThrow();
  }
}
