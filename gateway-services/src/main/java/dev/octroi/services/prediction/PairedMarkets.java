package dev.octroi.services.prediction;

import static dev.octroi.services.read.UpstreamJson.at;
import static dev.octroi.services.read.UpstreamJson.first;
import static dev.octroi.services.read.UpstreamJson.fraction;
import static dev.octroi.services.read.UpstreamJson.list;
import static dev.octroi.services.read.UpstreamJson.number;
import static dev.octroi.services.read.UpstreamJson.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.UpstreamTarget;
import dev.octroi.services.read.VendorRequests;
import dev.octroi.services.upstream.Failures;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows about markets of venues A and B that the vendor has matched: their prices side by side.
 * Prices are decimals for both venues, so that they compare; the price of the yes side is the
 * market list's at venue A and the last trade's at venue B.
 */
final class PairedMarkets {

  /** The vendor finds so many markets by their identifiers in one request. */
  private static final int LOOKUP = 50;

  /** Requests that find the markets of one side of the longest page. */
  static final int MOST_LOOKUPS = 100 / LOOKUP;

  /** Pages of trades that a correlation reads at most, of 500 trades each. */
  static final int TRADE_PAGES = 6;

  private static final String TRADES_OF_A_PAGE = "500";
  private static final String PAIRS = "/matching-markets/pairs";
  private static final String MARKETS_OF_A = "/venue-a/markets";
  private static final String MARKETS_OF_B = "/venue-b/markets";
  private static final String CONDITION = "venue_a_condition_id";
  private static final String TICKER = "venue_b_market_ticker";
  private static final int DECIMALS = 4;

  /** A pair with the market of either side, where the vendor's list still has it. */
  private record Pair(
      JsonNode matched,
      JsonNode a,
      JsonNode b,
      @Nullable BigDecimal yesOfA,
      @Nullable BigDecimal yesOfB) {

    static Pair of(JsonNode matched, JsonNode a, JsonNode b) {
      return new Pair(
          matched,
          a,
          b,
          decimal(fraction(MarketRecords.outcome(a, "yes", 0), "price")),
          decimal(fraction(b, "last_price")));
    }

    private static @Nullable BigDecimal decimal(JsonNode price) {
      return price.isNumber() ? price.decimalValue() : null;
    }

    Optional<BigDecimal> spread() {
      return yesOfA == null || yesOfB == null
          ? Optional.empty()
          : Optional.of(yesOfA.subtract(yesOfB).abs());
    }

    boolean isCheaperAtA() {
      return yesOfA != null && yesOfB != null && yesOfA.compareTo(yesOfB) < 0;
    }

    boolean differs() {
      return spread().filter(spread -> spread.signum() > 0).isPresent();
    }
  }

  private PairedMarkets() {}

  /** {@code { pairs, pagination }}: the vendor's page in its order, with prices. */
  static CompletableFuture<JsonNode> pairs(
      Arguments arguments, UpstreamTarget first, VendorRequests vendor) {
    return page(
        first,
        vendor,
        (pairs, pagination) ->
            listed("pairs", pairs.stream().map(pair -> sides(record(), pair)))
                .set("pagination", pagination));
  }

  /**
   * {@code { opportunities, pagination }}: of the vendor's page, in its order, the pairs whose
   * prices differ, so that yes at one venue and no at the other cost less than 1.
   */
  static CompletableFuture<JsonNode> arbitrage(
      Arguments arguments, UpstreamTarget first, VendorRequests vendor) {
    return page(
        first,
        vendor,
        (pairs, pagination) ->
            listed(
                    "opportunities",
                    pairs.stream().filter(Pair::differs).map(PairedMarkets::opportunity))
                .set("pagination", pagination));
  }

  /** The same as the record that the specification states, and the cursor to the next page. */
  static CompletableFuture<JsonNode> arbitrageRecord(
      Arguments arguments, UpstreamTarget first, VendorRequests vendor) {
    return page(
        first,
        vendor,
        (pairs, pagination) ->
            listed("opportunities", pairs.stream().filter(Pair::differs).map(PairedMarkets::stated))
                .set("pagination_key", at(pagination, "pagination_key")));
  }

  private static ObjectNode listed(String member, Stream<? extends JsonNode> entries) {
    ObjectNode made = record();
    entries.forEach(made.putArray(member)::add);
    return made;
  }

  /** {@code { venue_a, venue_b, venue_a_yes, venue_b_yes, spread }}: both markets whole. */
  static CompletableFuture<JsonNode> compare(
      Arguments arguments, UpstreamTarget first, VendorRequests vendor) {
    return named(arguments, vendor)
        .thenCompose(
            ids -> {
              CompletableFuture<Map<String, JsonNode>> a = marketsOfA(List.of(ids.get(0)), vendor);
              CompletableFuture<Map<String, JsonNode>> b = marketsOfB(List.of(ids.get(1)), vendor);
              return a.thenCombine(
                  b,
                  (ofA, ofB) -> Pair.of(record(), known(ofA, ids.get(0)), known(ofB, ids.get(1))));
            })
        .thenApply(
            pair -> {
              ObjectNode made = record();
              made.set("venue_a", pair.a());
              made.set("venue_b", pair.b());
              made.set("venue_a_yes", price(pair.yesOfA()));
              made.set("venue_b_yes", price(pair.yesOfB()));
              made.set("spread", price(pair.spread().orElse(null)));
              return made;
            });
  }

  private static JsonNode known(Map<String, JsonNode> markets, String id) {
    return Optional.ofNullable(markets.get(key(id))).orElseThrow(Projections::unknown);
  }

  private interface Page {
    JsonNode of(List<Pair> pairs, JsonNode pagination);
  }

  private static CompletableFuture<JsonNode> page(
      UpstreamTarget first, VendorRequests vendor, Page page) {
    return vendor
        .ask(first)
        .thenCompose(
            body -> {
              JsonNode pairs = list(body, "pairs");
              List<String> conditions = new ArrayList<>();
              List<String> tickers = new ArrayList<>();
              for (JsonNode pair : pairs) {
                conditions.add(condition(pair, vendor));
                tickers.add(ticker(pair, vendor));
              }
              return marketsOfA(conditions, vendor)
                  .thenCombine(
                      marketsOfB(tickers, vendor),
                      (ofA, ofB) -> {
                        List<Pair> priced = new ArrayList<>();
                        for (int at = 0; at < pairs.size(); at++) {
                          JsonNode a = ofA.getOrDefault(key(conditions.get(at)), none());
                          JsonNode b = ofB.getOrDefault(key(tickers.get(at)), none());
                          priced.add(Pair.of(named(pairs.get(at), vendor), a, b));
                        }
                        return page.of(priced, at(body, "pagination"));
                      });
            });
  }

  private static JsonNode none() {
    return NullNode.getInstance();
  }

  /** The vendor's pair under neutral names. */
  private static JsonNode named(JsonNode pair, VendorRequests vendor) {
    ObjectNode made = record();
    made.set("venue_a", side(pair, "venue-a", vendor));
    made.set("venue_b", side(pair, "venue-b", vendor));
    made.set("similarity", at(pair, "similarity"));
    made.set("explanation", at(pair, "explanation"));
    return made;
  }

  /** The vendor sets the two markets side by side, each under its venue's name. */
  private static JsonNode side(JsonNode pair, String venue, VendorRequests vendor) {
    String name = vendor.words().real(venue);
    return first(pair, name.toUpperCase(Locale.ROOT), name);
  }

  private static String condition(JsonNode pair, VendorRequests vendor) {
    return side(pair, "venue-a", vendor).path("condition_id").asText();
  }

  private static String ticker(JsonNode pair, VendorRequests vendor) {
    return side(pair, "venue-b", vendor).path("market_ticker").asText();
  }

  private static CompletableFuture<Map<String, JsonNode>> marketsOfA(
      List<String> conditions, VendorRequests vendor) {
    return markets(MARKETS_OF_A, "condition_id", conditions, vendor);
  }

  private static CompletableFuture<Map<String, JsonNode>> marketsOfB(
      List<String> tickers, VendorRequests vendor) {
    return markets(MARKETS_OF_B, "ticker", tickers, vendor);
  }

  /** Markets by their identifiers; without those that the vendor does not list. */
  private static CompletableFuture<Map<String, JsonNode>> markets(
      String path, String name, List<String> ids, VendorRequests vendor) {
    CompletableFuture<Map<String, JsonNode>> found =
        CompletableFuture.completedFuture(new HashMap<>());
    for (int from = 0; from < ids.size(); from += LOOKUP) {
      List<String> some = ids.subList(from, Math.min(ids.size(), from + LOOKUP));
      UpstreamTarget target =
          UpstreamTarget.at(path, Map.of("limit", List.of(Integer.toString(some.size()))))
              .with(name, some);
      found =
          found.thenCombine(
              vendor.ask(target),
              (before, body) -> {
                list(body, "markets")
                    .forEach(market -> before.put(key(market.path(name).asText()), market));
                return before;
              });
    }
    return found;
  }

  private static String key(String id) {
    return id.toLowerCase(Locale.ROOT);
  }

  private static ObjectNode sides(ObjectNode made, Pair pair) {
    made.set("venue_a", priced(pair.matched().path("venue_a"), pair.yesOfA()));
    made.set("venue_b", priced(pair.matched().path("venue_b"), pair.yesOfB()));
    made.set("spread", price(pair.spread().orElse(null)));
    made.set("similarity", at(pair.matched(), "similarity"));
    made.set("explanation", at(pair.matched(), "explanation"));
    return made;
  }

  private static JsonNode priced(JsonNode names, @Nullable BigDecimal yes) {
    ObjectNode made = names.isObject() ? names.deepCopy() : record();
    made.set("yes_price", price(yes));
    made.set("no_price", price(yes == null ? null : BigDecimal.ONE.subtract(yes)));
    return made;
  }

  private static JsonNode price(@Nullable BigDecimal price) {
    return price == null ? none() : number(price);
  }

  private static JsonNode opportunity(Pair pair) {
    boolean cheaperAtA = pair.isCheaperAtA();
    ObjectNode made = record();
    made.set("topic", topic(pair));
    sides(made, pair);
    made.put("buy_yes_at", cheaperAtA ? "venue-a" : "venue-b");
    made.put("buy_no_at", cheaperAtA ? "venue-b" : "venue-a");
    made.set("cost", price(BigDecimal.ONE.subtract(pair.spread().orElseThrow())));
    return made;
  }

  private static JsonNode stated(Pair pair) {
    ObjectNode made = record();
    made.set("topic", topic(pair));
    made.set("venue_a_yes", price(pair.yesOfA()));
    made.set("venue_b_yes", price(pair.yesOfB()));
    made.set("spread", price(pair.spread().orElse(null)));
    made.set("venue_a_id", at(pair.matched(), "venue_a", "condition_id"));
    made.set("venue_b_ticker", at(pair.matched(), "venue_b", "market_ticker"));
    return made;
  }

  private static JsonNode topic(Pair pair) {
    return at(pair.matched(), "venue_a", "title");
  }

  /** The condition and the ticker that the caller named, else those of the most similar pair. */
  private static CompletableFuture<List<String>> named(Arguments arguments, VendorRequests vendor) {
    Optional<String> condition = arguments.value(CONDITION);
    Optional<String> ticker = arguments.value(TICKER);
    if (condition.isPresent() && ticker.isPresent()) {
      return CompletableFuture.completedFuture(List.of(condition.get(), ticker.get()));
    }
    return vendor
        .ask(UpstreamTarget.at(PAIRS, Map.of("limit", List.of("1"))))
        .thenApply(
            body -> {
              JsonNode pairs = list(body, "pairs");
              if (pairs.isEmpty()) {
                throw new Failure(ErrorCode.MARKET_NOT_FOUND, "The vendor has no matched pair now");
              }
              return List.of(condition(pairs.get(0), vendor), ticker(pairs.get(0), vendor));
            });
  }

  /**
   * {@code { venue_a_condition_id, venue_b_market_ticker, interval, start_time, end_time, samples,
   * correlation }}. A sample is a candle of venue A that ends after the first trade at venue B: the
   * candle's closing price, and the price of the last trade before its end. Null for fewer than two
   * samples, and where a price does not move.
   */
  static CompletableFuture<JsonNode> correlation(
      Arguments arguments, UpstreamTarget first, VendorRequests vendor) {
    Map<String, List<String>> window = new HashMap<>();
    for (String name : List.of("start_time", "end_time")) {
      window.put(name, first.query().getOrDefault(name, List.of()));
    }
    String interval = arguments.value("interval").orElse("60");
    return named(arguments, vendor)
        .thenCompose(
            ids -> {
              UpstreamTarget candles =
                  new UpstreamTarget(
                      "/venue-a/candlesticks/{condition_id}",
                      Map.of("condition_id", ids.get(0)),
                      window);
              UpstreamTarget trades =
                  UpstreamTarget.at("/venue-b/trades", window)
                      .with("ticker", ids.get(1))
                      .with("order", "asc")
                      .with("limit", TRADES_OF_A_PAGE);
              return vendor
                  .ask(candles.with("interval", interval))
                  .thenCombine(
                      trades(trades, TRADE_PAGES, new TreeMap<>(), vendor),
                      (ofA, ofB) -> {
                        ObjectNode made = record();
                        made.put(CONDITION, ids.get(0)).put(TICKER, ids.get(1));
                        made.put("interval", Integer.parseInt(interval));
                        window.forEach((name, time) -> made.put(name, Long.parseLong(time.get(0))));
                        List<List<BigDecimal>> samples = samples(ofA, ofB);
                        made.put("samples", samples.size());
                        made.set("correlation", price(pearson(samples).orElse(null)));
                        return made;
                      });
            });
  }

  /** The prices of the yes side at venue B by the second of their trade. */
  private static CompletableFuture<NavigableMap<Long, BigDecimal>> trades(
      UpstreamTarget page,
      int pages,
      NavigableMap<Long, BigDecimal> before,
      VendorRequests vendor) {
    return vendor
        .ask(page)
        .thenCompose(
            body -> {
              for (JsonNode trade : list(body, "trades")) {
                JsonNode price = trade.path("yes_price");
                Failures.require(
                    price.isNumber() && trade.path("created_time").isIntegralNumber(),
                    "a trade lacks yes_price or created_time");
                before.put(trade.path("created_time").longValue(), price.decimalValue());
              }
              JsonNode cursor = at(body, "pagination", "pagination_key");
              if (!at(body, "pagination", "has_more").asBoolean() || !cursor.isTextual()) {
                return CompletableFuture.completedFuture(before);
              }
              if (pages == 1) {
                throw new Failure(
                    ErrorCode.INVALID_PARAMS,
                    "start_time and end_time span too many trades of venue B to be compared; choose"
                        + " a shorter window");
              }
              return trades(MarketLists.after(page, cursor), pages - 1, before, vendor);
            });
  }

  private static List<List<BigDecimal>> samples(
      JsonNode candles, NavigableMap<Long, BigDecimal> trades) {
    List<List<BigDecimal>> samples = new ArrayList<>();
    for (JsonNode candle : list(candles, "candlesticks")) {
      Map.Entry<Long, BigDecimal> last = trades.floorEntry(candle.path("end_period_ts").asLong());
      JsonNode close = fraction(candle, "price", "close");
      if (last != null && close.isNumber()) {
        samples.add(List.of(close.decimalValue(), last.getValue()));
      }
    }
    return samples;
  }

  private static Optional<BigDecimal> pearson(List<List<BigDecimal>> samples) {
    if (samples.size() < 2) {
      return Optional.empty();
    }
    BigDecimal meanOfA = mean(samples, sample -> sample.get(0));
    BigDecimal meanOfB = mean(samples, sample -> sample.get(1));
    BigDecimal together = BigDecimal.ZERO;
    BigDecimal ofA = BigDecimal.ZERO;
    BigDecimal ofB = BigDecimal.ZERO;
    for (List<BigDecimal> sample : samples) {
      BigDecimal a = sample.get(0).subtract(meanOfA);
      BigDecimal b = sample.get(1).subtract(meanOfB);
      together = together.add(a.multiply(b));
      ofA = ofA.add(a.multiply(a));
      ofB = ofB.add(b.multiply(b));
    }
    BigDecimal both = ofA.multiply(ofB).sqrt(MathContext.DECIMAL128);
    return both.signum() == 0
        ? Optional.empty()
        : Optional.of(together.divide(both, DECIMALS, RoundingMode.HALF_EVEN));
  }

  private static BigDecimal mean(
      List<List<BigDecimal>> samples, Function<List<BigDecimal>, BigDecimal> price) {
    return samples.stream()
        .map(price)
        .reduce(BigDecimal.ZERO, BigDecimal::add)
        .divide(BigDecimal.valueOf(samples.size()), MathContext.DECIMAL128);
  }
}
