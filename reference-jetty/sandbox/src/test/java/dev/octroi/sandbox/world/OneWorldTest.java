package dev.octroi.sandbox.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.cryptodata.CryptoDataVendor;
import dev.octroi.sandbox.prediction.PredictionVendor;
import dev.octroi.sandbox.vendor.SandboxServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What both read vendors and the SQL tables say of one thing at one moment is the same. */
class OneWorldTest {

  private static final Instant NOW = Instant.parse("2026-09-17T15:42:10Z");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final CryptoDataVendor CRYPTO =
      new CryptoDataVendor(Clock.fixed(NOW, ZoneOffset.UTC));
  private static final SandboxServer SERVER =
      SandboxServer.start(
          0, List.of(CRYPTO, new PredictionVendor(Clock.fixed(NOW, ZoneOffset.UTC))));

  @AfterAll
  static void stop() {
    SERVER.close();
    CRYPTO.close();
  }

  private static JsonNode crypto(String path) throws Exception {
    return sent(request("cryptodata", path).GET());
  }

  private static JsonNode prediction(String path) throws Exception {
    return sent(request("prediction", path).GET());
  }

  private static JsonNode sql(String statement) throws Exception {
    String body = JSON.createObjectNode().put("sql", statement).toString();
    return sent(
        request("cryptodata", "/onchain/sql")
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  private static HttpRequest.Builder request(String mount, String path) {
    return HttpRequest.newBuilder(URI.create(SERVER.baseAddress(mount) + path))
        .header(mount.equals("prediction") ? "x-api-key" : "Authorization", "Bearer sandbox");
  }

  private static JsonNode sent(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  private static String list(String path) {
    return path.startsWith("/sports/live")
        ? "live_states"
        : path.startsWith("/sports") ? "games" : path.contains("uma") ? "items" : "markets";
  }

  private static JsonNode last(JsonNode list) {
    return list.get(list.size() - 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"BTC", "ETH", "SOL", "XRP"})
  void aCoinCostsTheSameInEveryPlace(String coin) throws Exception {
    double price =
        crypto("/exchange/price?pair=" + coin + "/USDT").at("/data/0/last").doubleValue();
    JsonNode book = crypto("/exchange/depth?pair=" + coin + "/USDT").at("/data/0");
    JsonNode candles = crypto("/exchange/klines?pair=" + coin + "/USDT").at("/data/0/candles");
    JsonNode minutes =
        prediction("/binance/candles/" + coin + "USDT?interval=1m&limit=5").path("candles");
    JsonNode their =
        crypto("/exchange/klines?interval=1m&limit=10&pair=" + coin + "/USDT")
            .at("/data/0/candles");
    long second = NOW.getEpochSecond();
    JsonNode ticks =
        prediction(
                "/binance/ticks/%sUSDT?start_time=%d&end_time=%d".formatted(coin, second, second))
            .path("ticks");

    assertThat(price)
        .isBetween(book.at("/bids/0/price").doubleValue(), book.at("/asks/0/price").doubleValue());
    assertThat(last(candles).path("close").doubleValue()).isEqualTo(price);
    assertThat(last(ticks).path("mid_price").doubleValue()).isCloseTo(price, within(price / 1e4));
    assertThat(minutes).isNotEmpty();
    for (JsonNode minute : minutes) {
      JsonNode same = null;
      for (JsonNode one : their) {
        same = one.path("timestamp").equals(minute.path("timestamp")) ? one : same;
      }
      if (same != null) {
        assertThat(minute.path("close")).isEqualTo(same.path("close"));
        assertThat(minute.path("high")).isEqualTo(same.path("high"));
      }
    }
  }

  @Test
  void aTradeOnAChainIsTheSameInItsTokensListInSqlAndAsATransaction() throws Exception {
    JsonNode row =
        sql("SELECT * FROM ethereum.dex_trades ORDER BY block_time DESC LIMIT 1").at("/data/0");
    String hash = row.path("tx_hash").asText();
    JsonNode transaction = crypto("/onchain/tx?chain=ethereum&hash=" + hash).at("/data/0");
    JsonNode taken =
        sql("SELECT from_address, block_number FROM ethereum.transactions WHERE hash = '%s'"
                .formatted(hash))
            .at("/data/0");

    assertThat(transaction.path("from")).isEqualTo(taken.path("from_address"));
    assertThat(Long.decode(transaction.path("blockNumber").asText()))
        .isEqualTo(row.path("block_number").longValue())
        .isEqualTo(taken.path("block_number").longValue());
    JsonNode history =
        crypto("/wallet/history?limit=100&address=" + taken.path("from_address").asText());
    assertThat(history.path("data").findValuesAsText("tx_hash")).contains(hash);
  }

  @Test
  void theTradesOfATokenAreThoseOfTheSqlTable() throws Exception {
    String token = "0x1f9840a85d5af5bf1d1762f925bdaddc4201f984";
    int found = 0;
    for (JsonNode trade : crypto("/token/dex-trades?limit=100&address=" + token).path("data")) {
      JsonNode rows =
          sql("SELECT amount_usd, taker FROM ethereum.dex_trades WHERE tx_hash = '%s'"
                  .formatted(trade.path("tx_hash").asText()))
              .path("data");
      for (JsonNode row : rows) {
        found++;
        assertThat(row.path("amount_usd")).isEqualTo(trade.path("amount_usd"));
        assertThat(row.path("taker")).isEqualTo(trade.path("taker"));
      }
    }
    assertThat(found).isPositive();
  }

  @Test
  void aWalletHoldsTheSameDollarsInBothGroups() throws Exception {
    JsonNode leader = prediction("/polymarket/leaderboard?limit=1").at("/entries/0");
    String wallet = leader.path("user").asText();
    JsonNode identity = prediction("/polymarket/wallet/identity/" + wallet);
    JsonNode tokens = crypto("/wallet/detail?address=" + wallet).at("/data/evm_tokens");
    JsonNode dollars = null;
    for (JsonNode token : tokens) {
      dollars = token.path("symbol").asText().equals("USDC") ? token : dollars;
    }

    assertThat(dollars).as(tokens.toString()).isNotNull();
    assertThat(dollars.path("balance").asDouble())
        .isEqualTo(identity.at("/profile/usdc_balance").doubleValue());
  }

  @Test
  void aMarketOfVenueACostsTheSameInBothGroups() throws Exception {
    JsonNode markets = prediction("/polymarket/markets?status=open&limit=20").path("markets");

    assertThat(markets).hasSize(20);
    for (JsonNode market : markets) {
      String condition = market.path("condition_id").asText();
      JsonNode price = market.at("/outcomes/0/price");
      String token = market.at("/outcomes/0/token_id").asText();
      JsonNode there =
          crypto("/prediction-market/polymarket/prices?interval=latest&condition_id=" + condition);
      JsonNode listed = crypto("/search/prediction-market?condition_id=" + condition);

      assertThat(there.at("/data/0/side_a/price")).isEqualTo(price);
      assertThat(there.at("/data/0/side_a/token_id").asText()).isEqualTo(token);
      assertThat(listed.at("/data/0/latest_price")).isEqualTo(price);
      assertThat(listed.at("/data/0/volume_7d")).isEqualTo(market.at("/rolling_metrics/volume_7d"));
      assertThat(prediction("/polymarket/market-price/" + token).path("price")).isEqualTo(price);
    }
  }

  @Test
  void aMarketOfVenueBCostsTheSameInBothGroups() throws Exception {
    JsonNode markets = prediction("/kalshi/markets?status=open&limit=20").path("markets");

    assertThat(markets).hasSize(20);
    for (JsonNode market : markets) {
      String ticker = market.path("ticker").asText();
      JsonNode there = crypto("/prediction-market/kalshi/prices?interval=latest&ticker=" + ticker);
      JsonNode listed = crypto("/search/prediction-market?market_ticker=" + ticker);

      assertThat(there.at("/data/0/side_a/price")).isEqualTo(market.path("last_price"));
      assertThat(listed.at("/data/0/latest_price")).isEqualTo(market.path("last_price"));
      assertThat(listed.at("/data/0/open_interest_usd").asDouble())
          .isEqualTo(market.path("dollar_open_interest").asDouble());
    }
  }

  @Test
  void aWalletsTradesAreTheSameInBothGroups() throws Exception {
    String wallet = prediction("/polymarket/leaderboard?limit=1").at("/entries/0/user").asText();
    JsonNode here = prediction("/polymarket/trades?limit=20&wallet=" + wallet).path("trades");
    JsonNode there =
        crypto("/prediction-market/polymarket/trades?limit=20&address=" + wallet).path("data");

    assertThat(here).isNotEmpty();
    assertThat(there.findValuesAsText("tx_hash")).isEqualTo(here.findValuesAsText("tx_hash"));
    assertThat(there.findValuesAsText("notional_volume_usd"))
        .isEqualTo(here.findValuesAsText("amount_usd"));
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-01T00:00:00Z",
    "2026-02-28T23:59:55Z",
    "2026-05-10T21:30:00Z",
    "2026-07-04T03:00:00Z",
    "2026-08-31T12:00:00Z",
    "2026-11-25T22:10:00Z",
    "2027-03-15T09:00:00Z"
  })
  void thereIsALiveGameAndADisputeAtAnyTime(Instant time) throws Exception {
    PredictionVendor vendor = new PredictionVendor(Clock.fixed(time, ZoneOffset.UTC));
    try (SandboxServer server = SandboxServer.start(0, List.of(vendor))) {
      for (String path :
          List.of(
              "/sports/live?live_only=true",
              "/sports/games",
              "/polymarket/uma/markets?state=pending",
              "/polymarket/uma/markets?state=proposed",
              "/polymarket/uma/markets?state=disputed",
              "/polymarket/uma/markets?state=resolved",
              "/markets/resolving-soon",
              "/markets/new")) {
        JsonNode answer =
            sent(
                HttpRequest.newBuilder(URI.create(server.baseAddress("prediction") + path))
                    .header("x-api-key", "sandbox"));
        assertThat(answer.findValue(list(path))).as(path).isNotEmpty();
      }
    }
  }
}
