package dev.octroi.sandbox.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class WalletConsistencyTest {

  private static final VendorUnderTest VENDOR = new VendorUnderTest();
  private static final double CENT = 0.02;

  @AfterAll
  static void stop() {
    VENDOR.close();
  }

  private static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  /** Three of the leaderboard and one that no list knows. */
  static List<String> wallets() {
    List<String> leaders =
        list(VENDOR.get("/polymarket/leaderboard").path("entries")).stream()
            .map(row -> row.path("user").asText())
            .toList();
    return List.of(
        leaders.get(0),
        leaders.get(30),
        leaders.get(59),
        "0xd8da6bf26964af9d7eed9e03e53415d37aa96045");
  }

  private static double sum(JsonNode rows, String group, String name) {
    return list(rows).stream().mapToDouble(row -> row.path(group).path(name).asDouble()).sum();
  }

  @ParameterizedTest
  @MethodSource("wallets")
  void thePositionsOfAWalletAddUpToItsTotals(String wallet) {
    JsonNode body = VENDOR.get("/polymarket/wallet/positions/" + wallet + "?limit=200");
    JsonNode rows = body.path("positions");
    JsonNode summary = body.path("summary");

    assertThat(rows).hasSize(summary.path("total_positions").asInt());
    assertThat(sum(rows, "current", "value_usd"))
        .isCloseTo(summary.path("total_value_usd").asDouble(), within(CENT));
    assertThat(sum(rows, "position", "total_cost_usd"))
        .isCloseTo(summary.path("total_cost_usd").asDouble(), within(CENT));
    assertThat(sum(rows, "pnl", "unrealized_usd"))
        .isCloseTo(summary.path("total_unrealized_pnl_usd").asDouble(), within(CENT));
    assertThat(sum(rows, "pnl", "realized_usd"))
        .isCloseTo(summary.path("total_realized_pnl_usd").asDouble(), within(CENT));
  }

  @ParameterizedTest
  @MethodSource("wallets")
  void theProfileAgreesWithPositionsAndProfits(String wallet) {
    JsonNode life = VENDOR.get("/polymarket/wallet/" + wallet).path("metrics").path("all_time");
    JsonNode positions = VENDOR.get("/polymarket/wallet/positions/" + wallet + "?limit=200");
    JsonNode open =
        VENDOR.get("/polymarket/wallet/positions/" + wallet + "?limit=200&include_closed=false");
    JsonNode pnl = VENDOR.get("/polymarket/wallet/pnl/" + wallet + "?granularity=day");

    assertThat(life.path("realized_pnl").asDouble())
        .isCloseTo(pnl.path("realized_pnl").asDouble(), within(CENT))
        .isCloseTo(
            positions.path("summary").path("total_realized_pnl_usd").asDouble(), within(CENT));
    assertThat(open.path("positions")).hasSize(life.path("active_positions").asInt());
    assertThat(open.path("positions"))
        .allMatch(row -> row.path("position").path("shares").asDouble() > 0);
  }

  @ParameterizedTest
  @MethodSource("wallets")
  void theSeriesOfProfitsEndsAtTheTotal(String wallet) {
    JsonNode pnl = VENDOR.get("/polymarket/wallet/pnl/" + wallet + "?granularity=week");
    JsonNode series = pnl.path("pnl_over_time");
    double total = pnl.path("realized_pnl").asDouble() + pnl.path("unrealized_pnl").asDouble();

    assertThat(series.get(series.size() - 1).path("pnl_to_date")).isEqualTo(pnl.path("total_pnl"));
    assertThat(pnl.path("total_pnl").asDouble()).isCloseTo(total, within(CENT));
    assertThat(list(series).stream().map(row -> row.path("timestamp").asLong())).isSorted();
  }

  @ParameterizedTest
  @MethodSource("wallets")
  void theTradesOfAWalletAddUpToItsVolume(String wallet) {
    List<JsonNode> trades = VENDOR.all("/polymarket/trades?limit=40&wallet=" + wallet, "trades");
    JsonNode life = VENDOR.get("/polymarket/wallet/" + wallet).path("metrics").path("all_time");
    double volume = trades.stream().mapToDouble(row -> row.path("amount_usd").asDouble()).sum();

    assertThat(trades).hasSize(life.path("trades").asInt());
    assertThat(volume).isCloseTo(life.path("volume").asDouble(), within(CENT));
  }

  @Test
  void theTradesOfAMarketAreThoseOfItsWallets() {
    JsonNode trade = VENDOR.get("/polymarket/trades/live").path("trades").get(0);
    String wallet = trade.path("user").asText();
    String market = trade.path("condition_id").asText();

    assertThat(VENDOR.all("/polymarket/trades?wallet=" + wallet, "trades")).contains(trade);
    assertThat(VENDOR.all("/polymarket/trades?condition_id=" + market, "trades")).contains(trade);
    assertThat(VENDOR.all("/polymarket/leaderboard/market/" + market, "entries"))
        .anyMatch(row -> row.path("user").asText().equals(wallet));
  }

  @Test
  void aTradeIsPricedAtTheMarketsPriceOfItsTime() {
    for (JsonNode trade : VENDOR.get("/polymarket/trades/live?limit=20").path("trades")) {
      String token = trade.path("token_id").asText();
      String time = trade.path("timestamp").asText();
      assertThat(VENDOR.get("/polymarket/market-price/" + token + "?at_time=" + time).path("price"))
          .isEqualTo(trade.path("price"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "realized_pnl, desc",
    "volume, desc",
    "roi, asc",
    "win_rate, desc",
    "trades, asc",
    "profit_factor, desc",
  })
  void theLeaderboardIsOrderedAsAsked(String sortBy, String order) {
    JsonNode entries =
        VENDOR.get("/polymarket/leaderboard?sort_by=" + sortBy + "&order=" + order).path("entries");
    List<Double> values =
        list(entries).stream().map(row -> row.path("metrics").path(sortBy).asDouble()).toList();

    assertThat(values)
        .hasSize(60)
        .isSortedAccordingTo((a, b) -> Double.compare(a, b) * (order.equals("asc") ? 1 : -1));
    assertThat(list(entries).stream().map(row -> row.path("rank").asInt()))
        .isSorted()
        .startsWith(1);
  }

  @Test
  void windowsAndBoundsOfTheLeaderboardAreHonoured() {
    JsonNode week = VENDOR.get("/polymarket/leaderboard?window=7d").path("entries");
    JsonNode rich = VENDOR.get("/polymarket/leaderboard?min_realized_pnl=1000").path("entries");
    JsonNode whales = VENDOR.get("/polymarket/leaderboard?style=whale").path("entries");

    for (JsonNode row : week) {
      String user = row.path("user").asText();
      assertThat(VENDOR.get("/polymarket/wallet/" + user).path("metrics").path("seven_day"))
          .isEqualTo(row.path("metrics"));
    }
    assertThat(rich).isNotEmpty();
    assertThat(rich).allMatch(row -> row.path("metrics").path("realized_pnl").asDouble() >= 1_000);
    assertThat(whales).isNotEmpty();
    assertThat(whales).allMatch(row -> row.path("trading_styles").path("is_whale").asBoolean());
  }

  @Test
  void topHoldersHoldWhatTheirPositionsSay() {
    JsonNode live = VENDOR.get("/polymarket/trades/live").path("trades").get(0);
    String market = live.path("condition_id").asText();
    JsonNode holders = VENDOR.get("/polymarket/market/" + market + "/top-holders").path("entries");

    assertThat(holders).isNotEmpty();
    for (JsonNode holder : holders) {
      String path =
          "/polymarket/positions?condition_id="
              + market
              + "&wallet="
              + holder.path("user").asText();
      JsonNode position = VENDOR.get(path).path("positions").get(0);
      assertThat(position.path("position").path("shares"))
          .isEqualTo(holder.path("position_shares"));
    }
  }

  @Test
  void cohortsAddUpToTheWallets() {
    JsonNode stats = VENDOR.get("/polymarket/cohorts/stats");
    int members =
        list(stats.path("cohorts")).stream()
            .mapToInt(row -> row.path("wallet_count").asInt())
            .sum();

    assertThat(members).isEqualTo(stats.path("total_wallets").asInt()).isPositive();
  }

  @Test
  void positionsAtVenueCAddUpAndTheirProfitsEndTheSeries() {
    JsonNode body = VENDOR.get("/dflow/wallet/positions/" + Paths.BASE58);
    JsonNode series =
        VENDOR.get("/dflow/wallet/pnl/" + Paths.BASE58 + "?granularity=day").path("pnl_over_time");
    double realized =
        list(body.path("positions")).stream()
            .mapToDouble(row -> row.path("realized_pnl").asDouble())
            .sum();

    assertThat(realized)
        .isCloseTo(body.path("summary").path("total_realized_pnl").asDouble(), within(CENT))
        .isCloseTo(series.get(series.size() - 1).path("pnl_to_date").asDouble(), within(CENT));
  }
}
