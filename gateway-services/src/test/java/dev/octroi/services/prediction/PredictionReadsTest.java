package dev.octroi.services.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads over real HTTP against a vendor-shaped upstream. */
class PredictionReadsTest {

  private static final String WALLET = "0xd8da6bf26964af9d7eed9e03e53415d37aa96045";

  private final Vendor vendor = new Vendor();
  private final UpstreamClient client = new UpstreamClient(vendor.settings());

  @AfterEach
  void close() {
    client.close();
    vendor.close();
  }

  @Test
  @Tag("spec:record.market_venue_a")
  void venueAsMarketsAreTheStatedRecord() {
    vendor.says("/alphaex/markets", "vendor-markets-a.json");
    assertRecord(read(PredictionRead.VENUE_A_MARKETS), "record-markets-a.json");
  }

  @Test
  @Tag("spec:record.market_venue_b")
  void venueBsMarketsAreTheStatedRecordInCents() {
    vendor.says("/betaex/markets", "vendor-markets-b.json");
    assertRecord(read(PredictionRead.VENUE_B_MARKETS), "record-markets-b.json");
  }

  @Test
  @Tag("spec:record.market_venue_b")
  void aFirstPageThatIsTheLastKnowsItsTotal() {
    byte[] body =
        """
        {"markets":[{"ticker":"T","title":"T?","last_price":0.625},
                     {"ticker":"U","title":"U?","last_price":null}],
         "pagination":{"has_more":false,"pagination_key":null}}
        """
            .getBytes(StandardCharsets.UTF_8);
    vendor.says("/betaex/markets", 200, Map.of(), body);
    String first = text(read(PredictionRead.VENUE_B_MARKETS));
    assertThat(first).contains("\"total\":2", "\"yes_price\":62.5,\"no_price\":37.5");
    assertThat(first).contains("\"yes_price\":null,\"no_price\":null");
    assertThat(text(read(PredictionRead.VENUE_B_MARKETS, "pagination_key=abc")))
        .contains("\"total\":null");
  }

  @Test
  @Tag("spec:record.wallet_summary")
  void aWalletsSummaryIsMadeOfItsTwoReads() {
    vendor.says("/alphaex/wallet/" + WALLET, "vendor-wallet.json");
    vendor.says("/alphaex/wallet/positions/" + WALLET, "vendor-positions.json");
    assertRecord(read(PredictionRead.VENUE_A_WALLET), "record-wallet.json");
  }

  @Test
  @Tag("spec:record.wallet_summary")
  void aWalletWithoutPositionsHasAnEmptyList() {
    vendor.says("/alphaex/wallet/" + WALLET, "vendor-wallet.json");
    vendor.says(
        "/alphaex/wallet/positions/" + WALLET,
        404,
        Map.of(),
        Samples.bytes("vendor-error-400.json"));
    assertThat(text(read(PredictionRead.VENUE_A_WALLET)))
        .contains("\"positions\":[]", "\"total_value\":null", "\"open_positions\":124");
  }

  @Test
  @Tag("spec:record.wallet_summary")
  void aServerOnTheWayDoesNotSayThatAWalletHasNoPositions() {
    vendor.says("/alphaex/wallet/" + WALLET, "vendor-wallet.json");
    for (String said :
        List.of(
            "{\"detail\":\"Not Found\"}",
            "<html>Not Found</html>",
            "{\"message\":\"no Route matched with those values\"}",
            "{\"error\":\"not_found\",\"message\":\"no backend\"}")) {
      byte[] body = said.getBytes(StandardCharsets.UTF_8);
      vendor.says("/alphaex/wallet/positions/" + WALLET, 404, Map.of(), body);
      assertThatThrownBy(() -> read(PredictionRead.VENUE_A_WALLET)).isInstanceOf(Failure.class);
    }
  }

  @Test
  @Tag("spec:record.wallet_summary")
  void anErrorOfTheSecondReadIsTheAnswer() {
    vendor.says("/alphaex/wallet/" + WALLET, "vendor-wallet.json");
    vendor.says(
        "/alphaex/wallet/positions/" + WALLET,
        429,
        Map.of(),
        Samples.bytes("vendor-error-429.json"));
    Answer answer = read(PredictionRead.VENUE_A_WALLET);
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.charged()).isFalse();
  }

  @Test
  @Tag("spec:record.leaderboard")
  void theLeaderboardIsTheStatedRecord() {
    vendor.says("/alphaex/leaderboard", "vendor-leaderboard.json");
    assertRecord(read(PredictionRead.VENUE_A_LEADERBOARD), "record-leaderboard.json");
  }

  @Test
  @Tag("spec:record.search_hit")
  void searchHitsAreTheStatedRecordWithNeutralProviders() {
    vendor.says("/markets/search", "vendor-search.json");
    assertRecord(read(PredictionRead.MARKETS_SEARCH, "q=bitcoin"), "record-search.json");
  }

  @Test
  @Tag("spec:record.search_hit")
  void aVenueIsKnownByEachOfItsNames() {
    byte[] body =
        """
        {"count":2,"markets":[{"venue":"zeta","title":"T","market_id":7},
                              {"venue":"zetaex","title":"U","market_id":8}]}
        """
            .getBytes(StandardCharsets.UTF_8);
    vendor.says("/markets/search", 200, Map.of(), body);
    assertThat(text(read(PredictionRead.MARKETS_SEARCH, "q=abc")))
        .contains(
            "{\"provider\":\"venue-f\",\"id\":\"7\",", "{\"provider\":\"venue-f\",\"id\":\"8\",");
  }

  @Test
  void providersKeepTheirRealNamesWhereConfigured() {
    vendor.says("/markets/search", "vendor-search.json");
    PredictionSettings real = new PredictionSettings(Set.of(), true, true);
    assertThat(text(read(real, PredictionRead.MARKETS_SEARCH, "q=bitcoin")))
        .contains("\"provider\":\"alphaex\"", "\"provider\":\"betaex\"")
        .contains("\"ticker\":\"KXBTC");
  }

  @Test
  @Tag("spec:limit.matching")
  @Tag("spec:rule.prediction.6")
  void aMarketWithoutMatchesIsAnEmptyResultThatIsSold() {
    byte[] nothing = "{\"matches\":[],\"total\":0}".getBytes(StandardCharsets.UTF_8);
    vendor.says("/matching-markets", 200, Map.of(), nothing);

    Answer answer = read(PredictionRead.MATCHING_MARKETS, "venue_b_market_ticker=KX");

    assertThat(answer.body()).isEqualTo(nothing);
    assertThat(answer.charged()).isTrue();
  }

  @Test
  void aServerOnTheWayDoesNotSayThatAMarketHasNoMatches() {
    byte[] body = "{\"message\":\"no Route matched\"}".getBytes(StandardCharsets.UTF_8);
    vendor.says("/matching-markets", 404, Map.of(), body);
    assertThatThrownBy(() -> read(PredictionRead.MATCHING_MARKETS, "venue_b_market_ticker=KX"))
        .isInstanceOf(Failure.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[]", "null", "\"ok\""})
  void whatIsNoRecordIsNotSold(String said) {
    byte[] body = said.getBytes(StandardCharsets.UTF_8);
    vendor.says("/alphaex/trades", 200, Map.of(), body);
    assertThatThrownBy(() -> read(PredictionRead.VENUE_A_TRADES, "condition_id=0x1"))
        .isInstanceOf(Failure.class);
  }

  /** Rows without what they are asked for: an id, a price, a title. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "VENUE_A_TRADES|condition_id=0x1|/alphaex/trades|{'any':[]}",
        "VENUE_A_TRADES|condition_id=0x1|/alphaex/trades|{'trades':{}}",
        "VENUE_A_TRADES|condition_id=0x1|/alphaex/trades|{'trades':[null]}",
        "VENUE_A_TRADES|condition_id=0x1|/alphaex/trades|{'trades':[{'side':'BUY'}]}",
        "VENUE_A_TRADES|condition_id=0x1|/alphaex/trades|{'trades':[{'price':null,'timestamp':1}]}",
        "VENUE_A_MARKETS_KEYSET||/alphaex/markets/keyset|{'markets':[{'title':'T'}]}",
        "VENUE_A_MARKET_PRICE||/alphaex/market-price/example|{'at_time':1}",
        "VENUE_A_SMART_ACTIVITY||/alphaex/markets/smart-activity|{'message':'soon'}",
        "VENUE_D_MARKETS||/deltaex/markets|{'markets':[{'title':''}]}",
        "MARKETS_LISTINGS||/markets/listings|{'pagination':{'has_more':false}}",
        "VENUE_A_MARKETS||/alphaex/markets|{'markets':[{}],'pagination':{'total':1}}",
        "VENUE_B_MARKETS||/betaex/markets|{'markets':[{'title':'T'}],'pagination':{}}",
        "VENUE_A_LEADERBOARD||/alphaex/leaderboard|{'entries':[{'rank':1}]}",
        "MARKETS_SEARCH|q=abc|/markets/search|{'count':1,'markets':[{'venue':'alphaex'}]}",
        "MARKETS_SEARCH|q=abc|/markets/search|{'count':1,'markets':[{'venue':'betaex','title':'T'}]}",
        "MARKETS_SEARCH|q=abc|/markets/search|{'count':1,'markets':[{'title':'T','condition_id':'1'}]}",
        // a price or an amount that is none
        "VENUE_A_TRADES|condition_id=0x1|/alphaex/trades|{'trades':[{'price':1.5,'timestamp':1}]}",
        "VENUE_A_TRADES|condition_id=0x1|/alphaex/trades|{'trades':[{'price':'0.5','timestamp':1}]}",
        "VENUE_A_MARKET_PRICE||/alphaex/market-price/example|{'price':-0.1}",
        "VENUE_B_TRADES|ticker=K|/betaex/trades|{'trades':[{'yes_price':62}]}",
        "VENUE_A_VOLUME_CHART||/alphaex/volume-chart/example|{'data':[{'timestamp':1,'total_volume':-1}]}",
        "VENUE_A_MARKET_VOLUME||/alphaex/markets/example/volume|{'volume_over_time':[{'timestamp':1,'volume':-1}]}",
        "VENUE_A_MARKETS||/alphaex/markets|{'markets':[{'condition_id':'1','title':'T','liquidity_usd':-1}]}",
        "VENUE_B_MARKETS||/betaex/markets|{'markets':[{'ticker':'K','title':'T','volume':-1}]}",
        "VENUE_B_MARKETS||/betaex/markets|{'markets':[{'ticker':'K','title':'T','last_price':62}]}",
        "VENUE_A_LEADERBOARD||/alphaex/leaderboard|{'entries':[{'user':'0x1','metrics':{'win_rate':60}}]}",
        "VENUE_A_LEADERBOARD||/alphaex/leaderboard|{'entries':[{'user':'0x1','metrics':{'volume':-1}}]}",
        "VENUE_A_LEADERBOARD||/alphaex/leaderboard|{'entries':[{'user':'0x1','metrics':{'trades':-1}}]}",
        "MARKETS_SEARCH|q=abc|/markets/search|{'count':1,'markets':[{'venue':'alphaex','title':'T','condition_id':'1','volume':-1}]}",
        // one market or trader twice
        "VENUE_A_MARKETS||/alphaex/markets|{'markets':[{'condition_id':'1','title':'T'},{'condition_id':'1','title':'T'}]}",
        "VENUE_A_MARKETS_KEYSET||/alphaex/markets/keyset|{'markets':[{'condition_id':'1','title':'T'},{'condition_id':'1','title':'T'}]}",
        "VENUE_A_EVENTS||/alphaex/events|{'events':[{'id':'1'},{'id':'1'}]}",
        "VENUE_B_MARKETS||/betaex/markets|{'markets':[{'ticker':'K','title':'T'},{'ticker':'K','title':'U'}]}",
        "VENUE_A_LEADERBOARD||/alphaex/leaderboard|{'entries':[{'user':'0x1','metrics':{}},{'user':'0x1','metrics':{}}]}",
        // numbers that no reader of JSON can hold
        "VENUE_A_MARKETS||/alphaex/markets|{'markets':[{'condition_id':'1','title':'T','total_volume_usd':1e400}]}"
      })
  void rowsWithoutWhatTheirContractPromisesAreNotSold(
      PredictionRead row, @Nullable String query, String path, String said) {
    for (boolean records : new boolean[] {true, false}) {
      vendor.says(path, 200, Map.of(), said.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
      PredictionSettings settings = new PredictionSettings(Set.of(), records, false);
      assertThatThrownBy(() -> read(settings, row, query == null ? "" : query))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
    }
  }

  /** Of a success the vendor has two: an answer, and work that has only begun. */
  @ParameterizedTest
  @ValueSource(ints = {201, 203, 204, 206})
  void anotherSuccessIsNoAnswer(int status) {
    byte[] said = status == 204 ? new byte[0] : "{\"any\":1}".getBytes(StandardCharsets.UTF_8);
    vendor.says("/alphaex/trades", status, Map.of(), said);
    assertThatThrownBy(() -> read(PredictionRead.VENUE_A_TRADES, "condition_id=0x1"))
        .isInstanceOf(Failure.class);
  }

  /** What is told of a charset would have a caller read the bytes as another text. */
  @Test
  void anAnswerIsJsonWhateverTheVendorCallsIt() {
    byte[] said = "{\"trades\":[]}".getBytes(StandardCharsets.UTF_8);
    Map<String, String> headers = Map.of("Content-Type", "application/json; charset=utf-16");
    vendor.says("/alphaex/trades", 200, headers, said);
    assertThat(read(PredictionRead.VENUE_A_TRADES, "condition_id=0x1").mediaType())
        .isEqualTo("application/json");
  }

  /** The vendor's word for a wallet of which it has no identity stands in a success. */
  @ParameterizedTest
  @CsvSource({"VENUE_A_WALLET_IDENTITY", "WALLET_IDENTITY"})
  void anIdentityThatIsNotFoundIs404(PredictionRead row) {
    for (String member : List.of("", ",\"profile\":null", ",\"profile\":{}")) {
      byte[] said =
          ("{\"address\":\"" + WALLET + "\",\"found\":false" + member + "}")
              .getBytes(StandardCharsets.UTF_8);
      vendor.says("/alphaex/wallet/identity/" + WALLET, 200, Map.of(), said);
      assertThatThrownBy(() -> read(row))
          .isInstanceOfSatisfying(
              Failure.class, failure -> assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",\"profile\":null", ",\"profile\":{}", ",\"profile\":\"x\""})
  void anIdentityThatSaysNothingIsNotSold(String member) {
    byte[] said = ("{\"found\":true" + member + "}").getBytes(StandardCharsets.UTF_8);
    vendor.says("/alphaex/wallet/identity/" + WALLET, 200, Map.of(), said);
    assertThatThrownBy(() -> read(PredictionRead.VENUE_A_WALLET_IDENTITY))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
  }

  /** Prices of positions are prices too. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'position':{'avg_entry_price':62}",
        "'position':{},'current':{'price':-0.1}",
        "'position':{'shares':-3}"
      })
  @Tag("spec:record.wallet_summary")
  void aPositionAtWhatIsNoPriceIsNotSold(String members) {
    vendor.says("/alphaex/wallet/" + WALLET, "vendor-wallet.json");
    String said = "{'positions':[{'market':{'condition_id':'1'}," + members + "}]}";
    vendor.says(
        "/alphaex/wallet/positions/" + WALLET,
        200,
        Map.of(),
        said.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> read(PredictionRead.VENUE_A_WALLET)).isInstanceOf(Failure.class);
  }

  @Test
  @Tag("spec:record.wallet_summary")
  void aWalletWithoutItsFiguresIsNotSold() {
    vendor.says("/alphaex/wallet/positions/" + WALLET, "vendor-positions.json");
    for (String said : List.of("{\"user\":\"0x1\"}", "{\"metrics\":{}}", "{\"any\":1}")) {
      vendor.says(
          "/alphaex/wallet/" + WALLET, 200, Map.of(), said.getBytes(StandardCharsets.UTF_8));
      assertThatThrownBy(() -> read(PredictionRead.VENUE_A_WALLET)).isInstanceOf(Failure.class);
    }
  }

  /** The specification's numbers are numbers, and a yes costs 0.00 to 1.00. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'outcomes':[{'label':'Yes','price':'0.62'}]",
        "'outcomes':[{'label':'Yes','price':62}]",
        "'outcomes':[{'label':'No','price':-0.1}]",
        "'total_volume_usd':'12'",
        "'liquidity_usd':true"
      })
  @Tag("spec:record.market_venue_a")
  void whatIsNoNumberOrNoPriceIsNotSoldAsOne(String member) {
    String said = "{'markets':[{'condition_id':'0x1','title':'T'," + member + "}]}";
    vendor.says(
        "/alphaex/markets",
        200,
        Map.of(),
        said.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> read(PredictionRead.VENUE_A_MARKETS)).isInstanceOf(Failure.class);
  }

  @Test
  @Tag("spec:decision.records_upstream")
  void recordsOfTheUpstreamPassWhereConfigured() {
    vendor.says("/alphaex/markets", "vendor-markets-a.json");
    vendor.says("/alphaex/wallet/" + WALLET, "vendor-wallet.json");
    PredictionSettings upstream = new PredictionSettings(Set.of(), false, false);
    assertThat(read(upstream, PredictionRead.VENUE_A_MARKETS, "").body())
        .isEqualTo(Samples.bytes("vendor-markets-a.json"));
    assertThat(read(upstream, PredictionRead.VENUE_A_WALLET, "").body())
        .isEqualTo(Samples.bytes("vendor-wallet.json"));
  }

  @Test
  void workThatHasOnlyBegunIsNotCharged() {
    vendor.says(
        "/alphaex/wallet/" + WALLET + "/cluster",
        202,
        Map.of("Retry-After", "60"),
        Samples.bytes("vendor-cluster-pending.json"));
    Answer answer = read(PredictionRead.VENUE_A_WALLET_CLUSTER);
    assertThat(answer.status()).isEqualTo(202);
    assertThat(answer.charged()).isFalse();
    assertThat(answer.headers()).containsEntry("Retry-After", "60");
    assertThat(answer.body()).isEqualTo(Samples.bytes("vendor-cluster-pending.json"));
  }

  /** The table says what the vendor is asked for each call of a caller. */
  @ParameterizedTest
  @CsvFileSource(
      resources = "vendor-requests.tsv",
      delimiter = '\t',
      numLinesToSkip = 1,
      emptyValue = "")
  @Tag("spec:rule.prediction.1")
  @Tag("spec:rule.prediction.2")
  @Tag("spec:rule.prediction.3")
  @Tag("spec:rule.prediction.4")
  @Tag("spec:rule.prediction.7")
  @Tag("spec:decision.prediction.defaults")
  void theVendorIsAskedInItsOwnWords(PredictionRead row, String query, String asked) {
    PredictionSettings raw =
        new PredictionSettings(PredictionSettings.standard().millisecondVenues(), false, false);
    read(raw, row, "-".equals(query) ? "" : query);
    assertThat(vendor.requests()).containsExactly("GET " + asked.replace("WALLET", WALLET));
  }

  @Test
  void windowsStaySecondsWhereTheVenueSaysSo() {
    PredictionSettings seconds = new PredictionSettings(Set.of("venue-b"), false, false);
    read(seconds, PredictionRead.VENUE_A_ORDERBOOKS, "token_id=1&start_time=1&end_time=2");
    assertThat(vendor.requests())
        .containsExactly("GET /alphaex/orderbooks?token_id=1&start_time=1&end_time=2&limit=20");
  }

  private Answer read(PredictionRead row) {
    return read(row, "");
  }

  private Answer read(PredictionRead row, String query) {
    return read(PredictionSettings.standard(), row, query);
  }

  private Answer read(PredictionSettings settings, PredictionRead row, String query) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    for (String pair : query.split("&", -1)) {
      if (!pair.isEmpty()) {
        String[] nameAndValue = pair.split("=", 2);
        parameters.put(nameAndValue[0], List.of(nameAndValue[1]));
      }
    }
    return new PredictionReads(client, settings, CacheSettings.standard(), Vendor.NOW)
        .read(row, Paths.example(row), parameters, Deadline.in(Duration.ofSeconds(10)));
  }

  private static void assertRecord(Answer answer, String expected) {
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.charged()).isTrue();
    byte[] compact = UpstreamJson.bytes(UpstreamJson.object(Samples.bytes(expected)));
    assertThat(text(answer)).isEqualTo(new String(compact, StandardCharsets.UTF_8));
  }

  private static String text(Answer answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}
