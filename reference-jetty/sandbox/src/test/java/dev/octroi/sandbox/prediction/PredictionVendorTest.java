package dev.octroi.sandbox.prediction;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.sandbox.vendor.Shapes;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PredictionVendorTest {

  private static final VendorUnderTest VENDOR = new VendorUnderTest();
  private static final Paths PATHS = new Paths(VENDOR);
  private static final Shapes SHAPES =
      new Shapes(
          PredictionVendorTest.class,
          Set.of(
              "market_id",
              "condition_id",
              "market_slug",
              "market_ticker",
              "yes_subtitle",
              "series",
              "token_id",
              "selection_label",
              "count",
              "platform"));

  @AfterAll
  static void stop() {
    VENDOR.close();
  }

  static Stream<String> everyPath() {
    return Stream.of(
        """
        /venue-a/markets /venue-a/markets/keyset /venue-a/events /venue-a/events/keyset
        /venue-a/crypto-updown /venue-a/market-price/:token_id /venue-a/candlesticks/:condition_id
        /venue-a/candlesticks/token/:token_id /venue-a/volume-chart/:condition_id
        /venue-a/orderbooks /venue-a/trades /venue-a/activity /venue-a/markets/:token_id/volume
        /venue-a/markets/:condition_id/open_interest /venue-a/positions /venue-a/leaderboard
        /venue-a/leaderboard/market/:condition_id /venue-a/cohorts/stats
        /venue-a/market/:condition_id/top-holders /venue-a/market/:condition_id/smart-money
        /venue-a/markets/smart-activity /venue-a/wallet/:wallet /venue-a/wallet/:wallet/markets
        /venue-a/wallet/:wallet/similar /venue-a/wallet/pnl/:wallet
        /venue-a/wallet/positions/:wallet /venue-a/wallet/volume-chart/:wallet
        /venue-a/wallets/profiles /venue-a/wallets/filter
        /sports/categories /sports/markets /sports/markets/:game_id /sports/outcomes/:predexon_id
        /matching-markets /matching-markets/pairs /markets/search /markets /markets/listings
        /outcomes/:predexon_id /venue-b/markets /venue-b/trades /venue-b/orderbooks
        /exchange-a/candles/:symbol /exchange-a/ticks/:symbol
        /venue-c/trades /venue-c/wallet/positions/:wallet /venue-c/wallet/pnl/:wallet
        /venue-a/wallet/identity/:wallet /venue-a/wallet/:wallet/cluster
        /venue-a/oracle/markets /venue-a/oracle/market/:condition_id
        /venue-d/markets /venue-d/orderbooks /venue-e/markets /venue-e/orderbooks
        /venue-f/markets /venue-f/orderbooks
        /venue-a/market/:id /venue-a/event/:slug /venue-a/categories /venue-a/pricing/:id
        /venue-a/pricing/history/:id /venue-a/volume/:id /venue-a/volume/aggregate
        /venue-a/orderbook/:id /venue-a/trades/:id /venue-a/trades/live
        /venue-a/positions/:address /venue-a/positions/history/:address /venue-a/pnl/:address
        /venue-a/leaderboard/volume /venue-a/activity/:address /venue-a/rewards/:address
        /venue-a/related/:id /venue-a/comments/:id /venue-a/resolution/:id /venue-a/liquidity/:id
        /venue-a/stats /venue-b/market/:ticker /venue-b/events /venue-c/markets
        /venue-c/market/:id /venue-c/orderbook/:id /exchange-a/long-short
        /exchange-a/open-interest /markets/trending /markets/new /markets/resolving-soon
        /markets/highest-volume /markets/compare/:topic /markets/categories /markets/arbitrage
        /sports/games /sports/leagues /sports/live /venue-d/market/:id /venue-e/market/:id
        /venue-f/market/:id /oracle/assertions /oracle/disputes /wallet/identity/:address
        /wallet/portfolio/:address /wallet/history/:address
        /pairs /arbitrage /correlation /compare"""
            .split("\\s+"));
  }

  @ParameterizedTest
  @MethodSource("everyPath")
  void everyPathAnswersInTheContractsShape(String path) {
    JsonNode body = VENDOR.get(PATHS.example(path));

    assertThat(body.isObject()).isTrue();
    assertThat(SHAPES.faults(path, body)).isEmpty();
  }

  @Test
  void noTwoPathsAnswerAlike() {
    Map<String, String> answers = new HashMap<>();
    everyPath()
        .forEach(
            path -> {
              String body = VENDOR.send(PATHS.example(path)).body();
              String twin = answers.putIfAbsent(body, path);
              // Page and key lists of the same markets differ in their pagination.
              assertThat(twin).as(path).isNull();
            });
  }

  @Test
  void everyPathIsAmongTheTested() {
    List<String> tested =
        everyPath()
            .map(path -> path.replaceAll(":\\w+", ":").replaceAll("(?<=/)oracle", "uma"))
            .map(PredictionVendorTest::wire)
            .toList();
    PredictionVendor vendor = new PredictionVendor(java.time.Clock.systemUTC());
    List<String> served =
        vendor.operations().stream()
            .filter(operation -> operation.startsWith("GET "))
            .map(operation -> operation.substring(4).replaceAll("\\{\\w+}", ":"))
            .toList();

    assertThat(served).containsExactlyInAnyOrderElementsOf(tested);
    assertThat(vendor.operations())
        .containsExactlyInAnyOrderElementsOf(vendor.contract().operations());
  }

  private static String wire(String path) {
    String wire = path;
    for (String word :
        List.of("venue-a", "venue-b", "venue-c", "venue-d", "venue-e", "venue-f", "exchange-a")) {
      wire = wire.replace("/" + word + "/", "/" + Words.onTheWire(word) + "/");
    }
    return wire;
  }

  @Test
  void theSameTimeGivesTheSameAnswersInAnotherProcess() {
    try (VendorUnderTest other = new VendorUnderTest()) {
      everyPath()
          .map(PATHS::example)
          .forEach(call -> assertThat(other.send(call).body()).isEqualTo(VENDOR.send(call).body()));
    }
  }

  @Test
  void identitiesAreKeyedByAddress() {
    String address = PATHS.example("/:wallet").substring(1);
    HttpResponse<String> answer =
        VENDOR.post(
            "/polymarket/wallet/identities",
            "{\"addresses\":[\"" + address + "\",\"" + VendorUnderTest.UNKNOWN + "\"]}");

    JsonNode profiles = VendorUnderTest.json(answer.body()).path("profiles");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(profiles).hasSize(1);
    assertThat(profiles.path(address))
        .isEqualTo(VENDOR.get("/polymarket/wallet/identity/" + address).path("profile"));
  }
}
