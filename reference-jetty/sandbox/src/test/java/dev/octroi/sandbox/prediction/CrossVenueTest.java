package dev.octroi.sandbox.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class CrossVenueTest {

  private static final VendorUnderTest VENDOR = new VendorUnderTest();

  @AfterAll
  static void stop() {
    VENDOR.close();
  }

  @Test
  void everyPairMatchesInBothDirections() {
    List<JsonNode> pairs = VENDOR.all("/matching-markets/pairs?limit=50", "pairs");

    assertThat(pairs).hasSizeGreaterThan(40);
    for (JsonNode pair : pairs) {
      String condition = pair.path("POLYMARKET").path("condition_id").asText();
      String ticker = pair.path("KALSHI").path("market_ticker").asText();
      JsonNode there = VENDOR.get("/matching-markets?polymarket_condition_id=" + condition);
      JsonNode back = VENDOR.get("/matching-markets?kalshi_market_ticker=" + ticker);
      assertThat(match(there, "KALSHI", "market_ticker")).isEqualTo(ticker);
      assertThat(match(back, "POLYMARKET", "condition_id")).isEqualTo(condition);
    }
  }

  private static String match(JsonNode body, String platform, String id) {
    return body.path("matches").path(platform).path("exact").path(0).path(id).asText();
  }

  @Test
  void onlyTheKindOfMatchThatIsAskedForIsGiven() {
    String path = "/matching-markets?kalshi_market_ticker=KXSENATE-26DEC31-DEMOCRATS&match_type=";
    JsonNode exact = VENDOR.get(path + "exact").path("summary");
    JsonNode related = VENDOR.get(path + "related").path("summary");

    assertThat(exact.path("exact_matches").asInt()).isEqualTo(1);
    assertThat(exact.path("related_matches").asInt()).isZero();
    assertThat(related.path("exact_matches").asInt()).isZero();
    assertThat(related.path("related_matches").asInt()).isPositive();
  }

  @Test
  void aMarketThatIsNotInTheMatchingSetMatchesNothing() {
    JsonNode body = VENDOR.get("/matching-markets?polymarket_market_slug=unheard-of");

    assertThat(body.path("matches")).isEmpty();
    assertThat(body.path("summary").path("total_matches").asInt()).isZero();
  }

  @Test
  void spreadsAreThoseOfTheVenuesOwnPrices() {
    JsonNode opportunities = VENDOR.get("/markets/arbitrage?limit=100").path("opportunities");

    assertThat(opportunities).hasSizeGreaterThan(30);
    double before = 1;
    for (JsonNode row : opportunities) {
      double a = priceAtA(row.path("POLYMARKET").path("condition_id").asText());
      double b =
          VENDOR
              .get("/kalshi/market/" + row.path("KALSHI").path("market_ticker").asText())
              .path("last_price")
              .asDouble();
      assertThat(row.path("POLYMARKET").path("yes_price").asDouble()).isEqualTo(a);
      assertThat(row.path("KALSHI").path("yes_price").asDouble()).isEqualTo(b);
      double spread = row.path("spread").asDouble();
      assertThat(spread).isCloseTo(Math.abs(a - b), within(1e-9)).isLessThanOrEqualTo(before);
      before = spread;
    }
  }

  private static double priceAtA(String condition) {
    JsonNode market = VENDOR.get("/polymarket/market/" + condition);
    return market.path("outcomes").get(0).path("price").asDouble();
  }

  @Test
  void aSearchFindsEveryVenueAndKeepsToThoseAsked() {
    JsonNode all = VENDOR.get("/markets/search?q=bitcoin&limit=50");
    JsonNode one = VENDOR.get("/markets/search?q=bitcoin&limit=50&venue=kalshi");
    JsonNode two = VENDOR.get("/markets/search?q=bitcoin&limit=3&status=closed");

    assertThat(all.path("markets").findValuesAsText("venue"))
        .contains("polymarket", "kalshi", "limitless", "opinion", "predict");
    assertThat(one.path("markets").findValuesAsText("venue")).isNotEmpty().containsOnly("kalshi");
    assertThat(two.path("markets")).hasSize(3);
    assertThat(two.path("markets").findValuesAsText("status")).containsOnly("closed");
    assertThat(VENDOR.get("/markets/search?q=nothing-of-the-kind").path("markets")).isEmpty();
  }

  @Test
  void outcomesLeadToTheMarketsOfTheirVenues() {
    JsonNode market =
        VENDOR
            .get("/polymarket/markets?event_slug=what-will-the-fed-decide-in-june-2026")
            .path("markets")
            .get(0);
    String id = market.path("outcomes").get(1).path("predexon_id").asText();
    JsonNode outcome = VENDOR.get("/outcomes/" + id);

    assertThat(outcome.path("event_id").asText())
        .isEqualTo("what-will-the-fed-decide-in-june-2026");
    assertThat(outcome.path("venues").findValuesAsText("condition_id"))
        .containsExactly(market.path("condition_id").asText());
    assertThat(outcome.path("venues").findValuesAsText("side")).containsOnly("no");
    for (String ticker : outcome.path("venues").findValuesAsText("market_ticker")) {
      assertThat(VENDOR.get("/kalshi/market/" + ticker).path("title"))
          .isEqualTo(market.path("title"));
    }
  }

  @Test
  void theOutcomesOfAGameLeadBackToIt() {
    JsonNode game = VENDOR.get("/sports/markets?sport=basketball").path("games").get(0);
    JsonNode venue = game.path("market_types").get(0).path("venues").get(1);
    JsonNode yes = venue.path("outcomes").get(0).path("tokens").path("yes");
    JsonNode outcome = VENDOR.get("/sports/outcomes/" + yes.path("predexon_id").asText());

    assertThat(outcome.path("match_key")).isEqualTo(game.path("game_id"));
    String slug = outcome.path("venues").get(1).path("market_slug").asText();
    JsonNode market = VENDOR.get("/polymarket/market/" + slug);
    assertThat(market.path("outcomes").get(0).path("price")).isEqualTo(yes.path("price"));
    assertThat(VENDOR.get("/sports/markets/" + game.path("game_id").asText())).isEqualTo(game);
  }

  @Test
  void gamesOfOneLeagueAreFound() {
    JsonNode games = VENDOR.get("/sports/markets?league=nba").path("games");

    assertThat(games).hasSizeGreaterThan(4);
    assertThat(games.findValuesAsText("league")).containsOnly("nba");
  }

  @Test
  void theOracleSettlesAsTheMarketResolved() {
    for (JsonNode item : VENDOR.all("/polymarket/uma/markets?state=resolved", "items")) {
      JsonNode question = item.path("question");
      JsonNode market = VENDOR.get("/polymarket/market/" + question.path("condition_id").asText());
      boolean yes = market.path("winning_side").asText().equals("Yes");
      assertThat(question.path("resolved_price").asText())
          .isEqualTo(yes ? "1000000000000000000" : "0");
      assertThat(market.path("status").asText()).isEqualTo("closed");
    }
  }
}
