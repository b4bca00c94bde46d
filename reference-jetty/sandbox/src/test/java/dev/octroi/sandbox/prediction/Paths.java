package dev.octroi.sandbox.prediction;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** An example call of every path of the vendor, with identifiers taken from its own lists. */
final class Paths {

  static final String BASE58 = "7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5";

  private final Map<String, String> variables = new LinkedHashMap<>();
  private final Map<String, String> queries = new LinkedHashMap<>();

  Paths(VendorUnderTest vendor) {
    JsonNode market = vendor.get("/polymarket/markets?status=open").path("markets").get(0);
    JsonNode other = vendor.get("/kalshi/markets?status=open").path("markets").get(0);
    String condition = market.path("condition_id").asText();
    String token = market.path("outcomes").get(0).path("token_id").asText();
    String wallet =
        vendor.get("/polymarket/leaderboard").path("entries").get(0).path("user").asText();
    String game = vendor.get("/sports/markets").path("games").get(0).path("game_id").asText();
    String ticker = other.path("ticker").asText();
    JsonNode gameMarket = vendor.get("/polymarket/event/" + game).path("markets").get(0);
    variables.put("condition_id", condition);
    variables.put("id", condition);
    variables.put("token_id", token);
    variables.put("wallet", wallet);
    variables.put("address", wallet);
    variables.put("slug", market.path("event_slug").asText());
    variables.put("game_id", game);
    variables.put("predexon_id", gameMarket.path("outcomes").get(0).path("predexon_id").asText());
    variables.put("ticker", ticker);
    variables.put("symbol", "BTCUSDT");
    variables.put("topic", "bitcoin");
    windows(vendor, condition, token, wallet, ticker);
  }

  private void windows(
      VendorUnderTest vendor, String condition, String token, String wallet, String ticker) {
    long end = VendorUnderTest.SECOND;
    String seconds = "start_time=" + (end - 7_200) + "&end_time=" + end;
    String millis = "start_time=" + (end - 7_200) * 1_000 + "&end_time=" + end * 1_000;
    queries.put("/venue-a/volume-chart/:condition_id", seconds);
    queries.put("/venue-a/orderbooks", "token_id=" + token + "&" + millis);
    queries.put("/venue-a/trades", "condition_id=" + condition);
    queries.put("/venue-a/activity", "wallet=" + wallet);
    queries.put("/venue-a/market/:condition_id/smart-money", "min_volume=10000");
    queries.put("/venue-a/markets/smart-activity", "min_volume=10000");
    queries.put("/venue-a/wallet/pnl/:wallet", "granularity=day");
    queries.put("/venue-a/wallet/volume-chart/:wallet", seconds);
    queries.put("/venue-a/wallets/profiles", "addresses=" + wallet);
    queries.put("/venue-a/wallets/filter", "markets=" + condition);
    queries.put("/venue-a/oracle/markets", "state=resolved");
    queries.put("/venue-b/trades", "ticker=" + ticker);
    queries.put("/venue-b/orderbooks", "ticker=" + ticker + "&" + millis);
    queries.put("/venue-c/trades", "wallet=" + BASE58);
    queries.put("/venue-c/wallet/pnl/:wallet", "granularity=day");
    queries.put("/exchange-a/ticks/:symbol", seconds + "&limit=5");
    queries.put("/matching-markets", "kalshi_market_ticker=" + ticker);
    queries.put("/markets/search", "q=bitcoin");
    queries.put("/compare", "topic=bitcoin");
    for (String venue : new String[] {"d", "e", "f"}) {
      String word = Words.onTheWire("venue-" + venue);
      JsonNode market = vendor.get("/" + word + "/markets?status=open").path("markets").get(0);
      String id = venue.equals("d") ? "market_slug" : "market_id";
      queries.put(
          "/venue-" + venue + "/orderbooks", id + "=" + market.path(id).asText() + "&" + millis);
      variables.put("/venue-" + venue + "/market/:id", market.path(id).asText());
    }
    String ofC =
        vendor
            .get("/dflow/markets?status=open")
            .path("markets")
            .get(0)
            .path("market_ticker")
            .asText();
    variables.put("/venue-c/market/:id", ofC);
    variables.put("/venue-c/orderbook/:id", ofC);
  }

  /** The path and query of an example call, for a path in neutral words. */
  String example(String path) {
    String wire =
        Arrays.stream(path.substring(1).split("/"))
            .map(
                segment ->
                    segment.startsWith(":") ? value(path, segment) : Words.onTheWire(segment))
            .collect(joining("/", "/", ""));
    String query = queries.get(path);
    return query == null ? wire : wire + "?" + query;
  }

  private String value(String path, String segment) {
    if (path.startsWith("/venue-c/wallet")) {
      return BASE58;
    }
    String name = segment.substring(1);
    return variables.getOrDefault(path, variables.getOrDefault(name, name));
  }
}
