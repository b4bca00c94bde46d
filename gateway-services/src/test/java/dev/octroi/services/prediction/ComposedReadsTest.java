package dev.octroi.services.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.prediction.PredictionReads.PredictionSettings;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.read.UpstreamReads.CacheSettings;
import dev.octroi.services.upstream.UpstreamClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads that are made of several requests of the vendor. */
class ComposedReadsTest {

  private final World world = new World();
  private final ListVendor vendor = new ListVendor(world);
  private final UpstreamClient client = new UpstreamClient(vendor.settings().withRetries(0));

  @AfterEach
  void close() {
    client.close();
    vendor.close();
  }

  @ParameterizedTest
  @CsvSource({
    "VENUE_A_MARKET, /venue-a/markets, condition_id, 0xAb",
    "VENUE_A_EVENT, /venue-a/events, slug, the-race",
    "VENUE_B_MARKET, /venue-b/markets, ticker, KX-1",
    "VENUE_D_MARKET, /venue-d/markets, market_slug, rain",
    "VENUE_E_MARKET, /venue-e/markets, market_id, 7",
    "VENUE_F_MARKET, /venue-f/markets, market_id, 7"
  })
  void oneOfAListIsTheOneThatIsNamed(PredictionRead row, String list, String name, String value) {
    String element = "{\"" + name + "\":\"%s\",\"id\":\"1\",\"title\":\"T\",\"price\":0.50}";
    world.with(list, element.formatted("other"));
    world.with(list, element.formatted(value));
    assertThat(read(row, value)).isEqualTo(element.formatted(value));
    assertThat(vendor.requests()).hasSize(1);
    assertRefused(
        row, row.name().matches("VENUE_[EF].*") ? "8" : "none", ErrorCode.MARKET_NOT_FOUND);
  }

  /** A vendor that took no account of the filter would answer with another one. */
  @Test
  void anotherMarketThanTheNamedOneIsNoAnswer() {
    world.failing(0, 200, "{\"markets\":[{\"condition_id\":\"0x2\"}]}");
    assertRefused(PredictionRead.VENUE_A_MARKET, "0x1", ErrorCode.UPSTREAM_FAILED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "VENUE_A_VOLUME|{'condition_id':'0x1','market_slug':'m','volume_1d':1.50,'volume_7d':2,"
            + "'volume_30d':null,'total_volume_usd':9.10}",
        "VENUE_A_LIQUIDITY|{'condition_id':'0x1','market_slug':'m','liquidity_usd':3.20}",
        "VENUE_A_RESOLUTION|{'condition_id':'0x1','market_slug':'m','title':'T','status':'closed',"
            + "'resolved':true,'winning_side':'Yes','close_time':'c','end_time':'e'}"
      })
  void whatIsToldOfAMarketIsTheVendors(PredictionRead row, String expected) {
    world.with(
        "/venue-a/markets",
        json(
            "{'condition_id':'0x1','market_slug':'m','title':'T','status':'closed',"
                + "'liquidity_usd':3.20,'total_volume_usd':9.10,'winning_side':'Yes',"
                + "'close_time':'c','end_time':'e',"
                + "'rolling_metrics':{'volume_1d':1.50,'volume_7d':2}}"));
    assertThat(read(row, "0x1")).isEqualTo(json(expected));
  }

  @Test
  void thePricesOfAHistoryAreTheCandlesAndTheSidesMakeOne() {
    world.with(
        "/venue-a/candlesticks/0x1",
        json(
            "{'condition_id':'0x1','candlesticks':[{'end_period_ts':60,'price':{'close':0.620}},"
                + "{'end_period_ts':120,'price':{'close':null}}]}"));
    assertThat(read(PredictionRead.VENUE_A_PRICING_HISTORY, "0x1"))
        .isEqualTo(
            json(
                "{'condition_id':'0x1','history':[{'timestamp':60,'yes_price':0.620,"
                    + "'no_price':0.380},{'timestamp':120,'yes_price':null,'no_price':null}]}"));
  }

  @Test
  void leaguesAreThoseOfAllSports() {
    world.with(
        "/sports/categories",
        json(
            "{'categories':[{'sports':[{'sport':'basketball','leagues':[{'league':'nba',"
                + "'league_name':'NBA','game_count':3}]},{'sport':'hockey','leagues':[]}]}]}"));
    assertThat(read(PredictionRead.SPORTS_LEAGUES, ""))
        .isEqualTo(json("{'leagues':[{'league':'nba','league_name':'NBA','sport':'basketball'}]}"));
  }

  @Test
  void aPortfolioIsTheOpenPositionsAndTheirSum() {
    String wallet = Paths.value(dev.octroi.services.read.Parameter.Kind.EVM_ADDRESS);
    world.with(
        "/venue-a/wallet/positions/" + wallet,
        json(
            "{'wallet_address':'"
                + wallet
                + "','as_of':'now','summary':{'total_value_usd':5},'positions':[{'market':{},'position':{}}],"
                + "'pagination':{'has_more':false}}"));
    assertThat(read(PredictionRead.WALLET_PORTFOLIO, wallet))
        .isEqualTo(
            json(
                "{'address':'"
                    + wallet
                    + "','summary':{'total_value_usd':5},'positions':[{'market':{},'position':{}}],"
                    + "'pagination':{'has_more':false}}"));
  }

  @Test
  void categoriesAreCountedAndNotLoaded() {
    markets(3, "'status':'open','tags':['crypto','politics']");
    markets(2, "'status':'open','tags':['sports']");
    markets(4, "'status':'closed','tags':['crypto']");
    assertThat(read(PredictionRead.VENUE_A_CATEGORIES, ""))
        .isEqualTo(
            json(
                "{'categories':[{'category':'politics','markets':3},"
                    + "{'category':'crypto','markets':3},{'category':'sports','markets':2},"
                    + "{'category':'science','markets':0},{'category':'culture','markets':0},"
                    + "{'category':'business','markets':0},{'category':'tech','markets':0}]}"));
    assertThat(vendor.requests())
        .hasSize(7)
        .allMatch(asked -> asked.value("limit").equals(java.util.Optional.of("1")));
  }

  @Test
  void statisticsAreTheListsTotals() {
    markets(3, "'status':'open'");
    markets(5, "'status':'closed'");
    world.with("/venue-a/events", json("{'id':'1','status':'open'}"));
    assertThat(read(PredictionRead.VENUE_A_STATS, ""))
        .isEqualTo(
            json(
                "{'markets':8,'open_markets':3,'closed_markets':5,'events':1,'open_events':1,"
                    + "'closed_events':0}"));
    assertThat(vendor.requests()).hasSize(4);
  }

  @ParameterizedTest
  @CsvSource({"20, 2", "99, 2", "100, 3"})
  void relatedMarketsAreTheEventsOthers(int limit, int calls) {
    markets(130, "'event_slug':'race'");
    markets(5, "'event_slug':'other'");
    JsonNode body = tree(read(PredictionRead.VENUE_A_RELATED, "0x3", "limit=" + limit));
    assertThat(ids(body.path("related"), "condition_id"))
        .hasSize(limit)
        .doesNotHaveDuplicates()
        .doesNotContain("0x3")
        .containsSubsequence("0x0", "0x1", "0x2", "0x4");
    assertThat(body.path("event_slug").asText()).isEqualTo("race");
    assertThat(vendor.requests()).hasSize(calls);
  }

  @Test
  void aMarketWithoutAnEventIsRelatedToNone() {
    markets(2, "'event_slug':null");
    assertThat(read(PredictionRead.VENUE_A_RELATED, "0x1"))
        .isEqualTo(json("{'condition_id':'0x1','event_slug':null,'related':[]}"));
  }

  @Test
  void theListByLiquidityIsSortedWhole() {
    List<Integer> liquidity = IntStream.range(0, 437).map(n -> n * 271 % 437).boxed().toList();
    IntStream.range(0, 437)
        .forEach(
            n ->
                world.with(
                    "/venue-a/markets",
                    json(
                        "{'condition_id':'0x%d','title':'T','liquidity_usd':%d,'status':'open','created_time':'%03d'}",
                        n, liquidity.get(n), 436 - n)));
    List<String> seen = new ArrayList<>();
    for (int offset = 0; offset < 437; offset += 100) {
      vendor.requests().clear();
      JsonNode page =
          tree(
              read(
                  PredictionRead.VENUE_A_MARKETS, "", "sort=liquidity&limit=100&offset=" + offset));
      assertThat(page.path("total").asInt()).isEqualTo(437);
      seen.addAll(ids(page.path("markets"), "liquidity"));
      assertThat(vendor.requests()).hasSize(5);
    }
    assertThat(seen).hasSize(437);
    assertThat(seen)
        .containsExactlyElementsOf(
            IntStream.range(0, 437).mapToObj(n -> Integer.toString(436 - n)).toList());
  }

  @Test
  void aListThatIsTooLongToBeSortedIsRefused() {
    markets(501, "'status':'open','liquidity_usd':1");
    assertThatThrownBy(() -> answer(PredictionRead.VENUE_A_MARKETS, "", "sort=liquidity"))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS))
        .hasMessageContaining("501")
        .hasMessageContaining("category");
    assertThat(vendor.requests()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "20, 2", "100, 2", "230, 4", "260, 4", "1000, 3"})
  void anOffsetAtVenueBSkipsTheMarketsBefore(int offset, int calls) {
    IntStream.range(0, 270)
        .forEach(
            n ->
                world.with(
                    "/venue-b/markets",
                    json("{'ticker':'K%d','title':'T','status':'open','last_price':0.5}", n)));
    JsonNode page = tree(read(PredictionRead.VENUE_B_MARKETS, "", "offset=" + offset));
    assertThat(ids(page.path("markets"), "ticker"))
        .containsExactlyElementsOf(
            IntStream.range(offset, Math.max(offset, Math.min(270, offset + 20)))
                .mapToObj(n -> "K" + n)
                .toList());
    assertThat(vendor.requests()).hasSize(calls);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "5, 1", "5, 2", "20, 3", "100, 7"})
  void theSettledMarketsOfVenueBAreAllThoseWithAResultInTheirOrder(int limit, int everyNth) {
    IntStream.range(0, 60)
        .forEach(
            n ->
                world.with(
                    "/venue-b/markets",
                    json(
                        "{'ticker':'K%d','title':'T','status':'closed','last_price':1,'result':%s}",
                        n, n % everyNth == 0 ? "\"yes\"" : n % 2 == 0 ? "null" : "\"\"")));
    world.with("/venue-b/markets", json("{'ticker':'OPEN','status':'open','result':null}"));
    List<String> seen = new ArrayList<>();
    String more = "";
    do {
      JsonNode page =
          tree(read(PredictionRead.VENUE_B_MARKETS, "", "status=settled&limit=" + limit + more));
      assertThat(page.path("markets").size()).isLessThanOrEqualTo(limit);
      seen.addAll(ids(page.path("markets"), "ticker"));
      String cursor = page.path("pagination_key").asText("");
      more = cursor.isEmpty() || cursor.equals("null") ? "" : "&pagination_key=" + cursor;
    } while (!more.isEmpty());
    assertThat(seen)
        .containsExactlyElementsOf(
            IntStream.range(0, 60).filter(n -> n % everyNth == 0).mapToObj(n -> "K" + n).toList());
  }

  @Test
  void aPageOfSettledMarketsIsShortAfterElevenRequestsAndItsCursorGoesOn() {
    IntStream.range(0, 40)
        .forEach(
            n ->
                world.with(
                    "/venue-b/markets",
                    json("{'ticker':'K%d','title':'T','status':'closed','result':null}", n)));
    world.with(
        "/venue-b/markets", json("{'ticker':'S','title':'T','status':'closed','result':'no'}"));
    JsonNode first = tree(read(PredictionRead.VENUE_B_MARKETS, "", "status=settled&limit=2"));
    assertThat(vendor.requests()).hasSize(11);
    assertThat(first.path("markets")).isEmpty();
    assertThat(first.path("total").isNull()).isTrue();
    String cursor = first.path("pagination_key").asText();
    JsonNode second =
        tree(
            read(
                PredictionRead.VENUE_B_MARKETS,
                "",
                "status=settled&limit=100&pagination_key=" + cursor));
    assertThat(ids(second.path("markets"), "ticker")).containsExactly("S");
  }

  /** A vendor whose cursor goes on to where it is would be asked for the same page again. */
  @ParameterizedTest
  @ValueSource(strings = {"status=settled&limit=100", "offset=300"})
  void aCursorThatDoesNotGoOnIsNoAnswer(String query) {
    world.saying(
        "{\"markets\":["
            + IntStream.range(0, 100)
                .mapToObj("{\"ticker\":\"K%d\",\"title\":\"T\"}"::formatted)
                .collect(Collectors.joining(","))
            + "],\"pagination\":{\"has_more\":true,\"pagination_key\":\"again\"}}");
    assertThatThrownBy(() -> answer(PredictionRead.VENUE_B_MARKETS, "", query))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
    assertThat(vendor.requests()).hasSize(2);
  }

  /** Half a list, or a page twice, is not sold as the whole of it, nor a text as a liquidity. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {"50, 200, 1", "100, 200, 1", "100, 100, \"7\"", "100, 100, -1"})
  void aListThatCannotBeSortedWholeIsNoAnswer(int page, int total, String liquidity) {
    world.saying(
        IntStream.range(0, page)
            .mapToObj(
                id ->
                    "{\"condition_id\":\"%d\",\"title\":\"T\",\"liquidity_usd\":%s}"
                        .formatted(id, liquidity))
            .collect(
                Collectors.joining(
                    ",", "{\"markets\":[", "],\"pagination\":{\"total\":" + total + "}}")));
    assertThatThrownBy(() -> answer(PredictionRead.VENUE_A_MARKETS, "", "sort=liquidity"))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
  }

  /** What the row is asked for, and all of it. */
  @ParameterizedTest
  @EnumSource(names = {"VENUE_A_LIQUIDITY", "VENUE_A_VOLUME"})
  void aMarketWithoutTheFigureThatIsAskedForIsNotSold(PredictionRead row) {
    markets(1, "'market_slug':'m','liquidity_usd':null,'rolling_metrics':null");
    assertRefused(row, "0x0", ErrorCode.UPSTREAM_FAILED);
  }

  @Test
  void settledMarketsHaveNoOffset() {
    assertThatThrownBy(() -> answer(PredictionRead.VENUE_B_MARKETS, "", "status=settled&offset=20"))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS))
        .hasMessageContaining("pagination_key");
    assertThat(vendor.requests()).isEmpty();
  }

  @Test
  void pairsHaveThePricesOfBothSides() {
    pairs(130);
    JsonNode first = tree(read(PredictionRead.PAIRS, "", "limit=100"));
    assertThat(vendor.requests()).hasSize(5);
    assertThat(first.path("pairs")).hasSize(100);
    assertThat(first.path("pairs").get(3).toString())
        .isEqualTo(
            json(
                "{'venue_a':{'condition_id':'0x3','title':'A3','yes_price':0.60,'no_price':0.40},"
                    + "'venue_b':{'market_ticker':'K3','title':'B3','yes_price':0.53,"
                    + "'no_price':0.47},'spread':0.07,'similarity':97,'explanation':'same'}"));
    String cursor = first.path("pagination").path("pagination_key").asText();
    JsonNode second = tree(read(PredictionRead.PAIRS, "", "limit=100&pagination_key=" + cursor));
    assertThat(second.path("pairs")).hasSize(30);
    assertThat(second.path("pagination").path("has_more").asBoolean()).isFalse();
  }

  @Test
  void aMarketThatIsNoLongerListedHasNoPrice() {
    pair(0, "0.60", null);
    world.with("/matching-markets/pairs", pairOf(1));
    JsonNode pairs = tree(read(PredictionRead.PAIRS, "")).path("pairs");
    assertThat(pairs.get(0).path("venue_b").path("yes_price").isNull()).isTrue();
    assertThat(pairs.get(0).path("spread").isNull()).isTrue();
    assertThat(pairs.get(1).path("venue_a").path("yes_price").isNull()).isTrue();
    assertThat(tree(read(PredictionRead.ARBITRAGE, "")).path("opportunities")).isEmpty();
  }

  @Test
  void anOpportunityBuysYesWhereItIsCheaperAndNoElsewhere() {
    pair(0, "0.60", "0.53");
    pair(1, "0.30", "0.30");
    pair(2, "0.20", "0.45");
    JsonNode opportunities = tree(read(PredictionRead.ARBITRAGE, "")).path("opportunities");
    assertThat(ids(opportunities, "topic")).containsExactly("A0", "A2");
    assertThat(ids(opportunities, "buy_yes_at")).containsExactly("venue-b", "venue-a");
    assertThat(ids(opportunities, "buy_no_at")).containsExactly("venue-a", "venue-b");
    assertThat(ids(opportunities, "cost")).containsExactly("0.93", "0.75");
    assertThat(read(PredictionRead.MARKETS_ARBITRAGE, ""))
        .isEqualTo(
            json(
                "{'opportunities':[{'topic':'A0','venue_a_yes':0.60,'venue_b_yes':0.53,"
                    + "'spread':0.07,'venue_a_id':'0x0','venue_b_ticker':'K0'},"
                    + "{'topic':'A2','venue_a_yes':0.20,'venue_b_yes':0.45,'spread':0.25,"
                    + "'venue_a_id':'0x2','venue_b_ticker':'K2'}],'pagination_key':null}"));
  }

  @Test
  void aComparisonIsOfTheNamedMarketsOrOfTheMostSimilarPair() {
    pair(0, "0.60", "0.53");
    pair(1, "0.10", "0.20");
    JsonNode named =
        tree(read(PredictionRead.COMPARE, "", "venue_a_condition_id=0x1&venue_b_market_ticker=K1"));
    assertThat(named.path("venue_a").path("title").asText()).isEqualTo("A1");
    assertThat(named.path("spread").decimalValue()).isEqualByComparingTo("0.10");
    assertThat(vendor.requests()).hasSize(2);
    assertThat(tree(read(PredictionRead.COMPARE, "")).path("venue_b").path("ticker").asText())
        .isEqualTo("K0");
    assertThat(vendor.requests()).hasSize(5);
  }

  @Test
  void aComparisonNeedsBothMarketsAndAPair() {
    assertRefused(PredictionRead.COMPARE, "", ErrorCode.MARKET_NOT_FOUND);
    assertRefused(PredictionRead.CORRELATION, "", ErrorCode.MARKET_NOT_FOUND);
    pair(0, "0.60", "0.53");
    assertThatThrownBy(
            () ->
                answer(
                    PredictionRead.COMPARE,
                    "",
                    "venue_a_condition_id=0x0&venue_b_market_ticker=none"))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.MARKET_NOT_FOUND));
  }

  /** Closes 0.1, 0.2, 0.4 and trades 0.2, 0.3, 0.4 before them: 0.03 / sqrt(0.0466… x 0.02). */
  @Test
  void aCorrelationIsOfThePricesAtTheEndOfEachCandle() {
    candles("0x0", "[60,0.1],[120,0.2],[180,0.4]");
    trades("K0", "[30,0.2],[60,0.2],[90,0.9],[110,0.3],[180,0.4],[999,0.8]");
    String found =
        read(
            PredictionRead.CORRELATION,
            "",
            "venue_a_condition_id=0x0&venue_b_market_ticker=K0&start_time=0&end_time=180");
    assertThat(found)
        .isEqualTo(
            json(
                "{'venue_a_condition_id':'0x0','venue_b_market_ticker':'K0','interval':60,"
                    + "'start_time':0,'end_time':180,'samples':3,'correlation':0.9820}"));
    assertThat(vendor.requests()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "'[60,0.1]', '[30,0.2]', 1",
    "'[60,0.1],[120,0.1]', '[30,0.2],[90,0.3]', 2",
    "'[60,0.1],[120,0.2]', '[130,0.2]', 0",
    "'[60,null],[120,0.2]', '[30,0.2]', 1"
  })
  void withoutMovementThereIsNoCorrelation(String closes, String prices, int samples) {
    candles("0x0", closes);
    trades("K0", prices);
    JsonNode found =
        tree(
            read(
                PredictionRead.CORRELATION,
                "",
                "venue_a_condition_id=0x0&venue_b_market_ticker=K0&end_time=180"));
    assertThat(found.path("samples").asInt()).isEqualTo(samples);
    assertThat(found.path("correlation").isNull()).isTrue();
  }

  /** A price that is no number would count as 0. */
  @ParameterizedTest
  @ValueSource(strings = {"[30,\"0.2\"]", "[30,null]", "[\"30\",0.2]"})
  void tradesWithoutNumbersAreNoAnswer(String trade) {
    candles("0x0", "[60,0.1],[120,0.2]");
    trades("K0", "[20,0.1]," + trade);
    assertThatThrownBy(
            () ->
                answer(
                    PredictionRead.CORRELATION,
                    "",
                    "venue_a_condition_id=0x0&venue_b_market_ticker=K0&start_time=0&end_time=180"))
        .isInstanceOf(Failure.class);
  }

  @Test
  void aWindowWithMoreTradesThanAreReadIsRefused() {
    candles("0x0", "[60,0.1]");
    IntStream.range(0, 3001).forEach(n -> trades("K0", "[" + (1_780_990_000 + n) + ",0.5]"));
    assertThatThrownBy(
            () ->
                answer(
                    PredictionRead.CORRELATION,
                    "",
                    "venue_a_condition_id=0x0&venue_b_market_ticker=K0"))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS))
        .hasMessageContaining("start_time");
    assertThat(vendor.requests()).hasSize(7);
  }

  @Test
  void aTopicIsComparedVenueByVenue() {
    world.with(
        "/markets/search",
        json(
            "{'count':3,'markets':[{'venue':'alphaex','condition_id':'0x1','title':'T','price':0.5,"
                + "'volume':1},{'venue':'betaex','market_ticker':'K','title':'U','price':0.4,"
                + "'volume':2},{'venue':'alphaex','condition_id':'0x2','title':'V','price':0.6,"
                + "'volume':3}]}"));
    assertThat(read(PredictionRead.MARKETS_COMPARE, "rain"))
        .isEqualTo(
            json(
                "{'topic':'rain','count':3,'truncated':false,'venues':[{'provider':'venue-a','markets':["
                    + "{'id':'0x1','question':'T','yes_price':0.5,'volume':1},"
                    + "{'id':'0x2','question':'V','yes_price':0.6,'volume':3}]},"
                    + "{'provider':'venue-b','markets':[{'ticker':'K','title':'U',"
                    + "'yes_price':0.4,'volume':2}]}]}"));
  }

  /** Every request that a computed read makes, each way in which it can fail. */
  @ParameterizedTest
  @MethodSource("failures")
  void whicheverRequestFailsNothingIsCharged(
      PredictionRead row, String path, String query, int number, int status, String body) {
    worldForAll();
    world.failing(number, status, body);
    boolean charged;
    String told;
    try {
      Answer answer = answer(row, path, query);
      charged = answer.charged();
      told = answer.status() + "";
    } catch (Failure failure) {
      charged = false;
      told = failure.code().code();
    }
    assertThat(vendor.requests()).hasSizeGreaterThan(number);
    assertThat(charged).isFalse();
    assertThat(told)
        .isEqualTo(
            status == 429 ? "429" : status == 503 ? "upstream_unavailable" : "upstream_failed");
  }

  private static Stream<Arguments> failures() {
    List<Object[]> calls =
        List.of(
            new Object[] {PredictionRead.VENUE_A_CATEGORIES, "", "", 7},
            new Object[] {PredictionRead.VENUE_A_STATS, "", "", 4},
            new Object[] {PredictionRead.VENUE_A_RELATED, "0x1", "limit=100", 3},
            new Object[] {PredictionRead.VENUE_A_MARKETS, "", "sort=liquidity", 2},
            new Object[] {PredictionRead.VENUE_B_MARKETS, "", "offset=150", 3},
            new Object[] {PredictionRead.VENUE_B_MARKETS, "", "status=settled&limit=100", 1},
            new Object[] {PredictionRead.PAIRS, "", "limit=100", 5},
            new Object[] {PredictionRead.ARBITRAGE, "", "limit=100", 5},
            new Object[] {PredictionRead.MARKETS_ARBITRAGE, "", "limit=100", 5},
            new Object[] {PredictionRead.COMPARE, "", "", 3},
            new Object[] {PredictionRead.CORRELATION, "", "", 4});
    return calls.stream()
        .flatMap(
            call ->
                IntStream.range(0, (int) call[3])
                    .boxed()
                    .flatMap(
                        number ->
                            Stream.of(
                                Arguments.of(call[0], call[1], call[2], number, 500, "{}"),
                                Arguments.of(call[0], call[1], call[2], number, 503, "{}"),
                                Arguments.of(
                                    call[0], call[1], call[2], number, 429, "{\"error\":\"slow\"}"),
                                Arguments.of(
                                    call[0],
                                    call[1],
                                    call[2],
                                    number,
                                    404,
                                    "{\"detail\":\"Not Found\"}"),
                                Arguments.of(call[0], call[1], call[2], number, 200, "{}"),
                                Arguments.of(call[0], call[1], call[2], number, 200, "<html>"))));
  }

  private void worldForAll() {
    markets(150, "'status':'open','event_slug':'race','liquidity_usd':1");
    pairs(170);
    trades("K0", "[1780990000,0.5]");
    IntStream.range(0, 501).forEach(n -> trades("K0", "[" + (1_780_990_000 + n) + ",0.5]"));
    candles("0x0", "[1780990000,0.5]");
  }

  private void markets(int count, String members) {
    int from = next;
    next += count;
    IntStream.range(from, next)
        .forEach(
            n ->
                world.with("/venue-a/markets", json("{'condition_id':'0x%d'," + members + "}", n)));
  }

  private int next;

  private void pairs(int count) {
    IntStream.range(0, count).forEach(n -> pair(n, "0.60", "0.53"));
  }

  private void pair(int number, String yesOfA, String yesOfB) {
    world.with("/matching-markets/pairs", pairOf(number));
    world.with(
        "/venue-a/markets",
        json(
            "{'condition_id':'0x%d','title':'A%d','outcomes':[{'label':'Yes','price':%s},"
                + "{'label':'No','price':0.1}]}",
            number, number, yesOfA));
    if (yesOfB != null) {
      world.with(
          "/venue-b/markets",
          json(
              "{'ticker':'K%d','title':'B%d','last_price':%s,'status':'open'}",
              number, number, yesOfB));
    }
  }

  private static String pairOf(int number) {
    return json(
        "{'ALPHAEX':{'condition_id':'0x%d','title':'A%d'},"
            + "'BETAEX':{'market_ticker':'K%d','title':'B%d'},'similarity':97,'explanation':'same'}",
        number, number, number, number);
  }

  private void candles(String condition, String closes) {
    StringBuilder all = new StringBuilder();
    for (JsonNode candle : tree("{\"c\":[" + closes + "]}").path("c")) {
      all.append(all.isEmpty() ? "" : ",")
          .append(
              json(
                  "{'end_period_ts':%s,'price':{'close':%s}}",
                  candle.get(0).toString(), candle.get(1).toString()));
    }
    world.with("/venue-a/candlesticks/" + condition, json("{'candlesticks':[" + all + "]}"));
  }

  private void trades(String ticker, String prices) {
    for (JsonNode trade : tree("{\"t\":[" + prices + "]}").path("t")) {
      world.with(
          "/venue-b/trades",
          json(
              "{'ticker':'%s','created_time':%s,'yes_price':%s}",
              ticker, trade.get(0).toString(), trade.get(1).toString()));
    }
  }

  private static List<String> ids(JsonNode elements, String name) {
    return elements.valueStream().map(each -> each.path(name).asText()).toList();
  }

  private static JsonNode tree(String json) {
    return UpstreamJson.tree(json.getBytes(StandardCharsets.UTF_8));
  }

  private static String json(String text, Object... values) {
    String quoted = text.replace('\'', '"');
    return values.length == 0 ? quoted : String.format(Locale.ROOT, quoted, values);
  }

  private void assertRefused(PredictionRead row, String path, ErrorCode code) {
    assertThatThrownBy(() -> answer(row, path, ""))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo(code));
  }

  private String read(PredictionRead row, String path) {
    return read(row, path, "");
  }

  private String read(PredictionRead row, String path, String query) {
    Answer answer = answer(row, path, query);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.charged()).isTrue();
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private Answer answer(PredictionRead row, String path, String query) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    for (String pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
      String[] nameAndValue = pair.split("=", 2);
      parameters.put(nameAndValue[0], List.of(nameAndValue[1]));
    }
    Map<String, String> inPath = new LinkedHashMap<>(Paths.example(row));
    inPath.replaceAll((name, example) -> path);
    return new PredictionReads(
            client, PredictionSettings.standard(), CacheSettings.standard(), Vendor.NOW)
        .read(row, inPath, parameters, Deadline.in(Duration.ofSeconds(20)));
  }
}
