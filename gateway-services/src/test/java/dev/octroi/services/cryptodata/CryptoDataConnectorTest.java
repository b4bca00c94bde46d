package dev.octroi.services.cryptodata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.UpstreamReads;
import dev.octroi.services.read.UpstreamReads.CacheSettings;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.VenueWords;
import dev.octroi.services.upstream.WireServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CryptoDataConnectorTest {

  private static final Clock NOW =
      Clock.fixed(Instant.ofEpochSecond(1_781_000_000), ZoneOffset.UTC);

  private static final String ADDRESS = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";

  @Test
  @Tag("spec:record.exchange_ticker")
  void tickersAreTheStatedRecord() throws IOException {
    assertThat(read(CryptoDataRead.EXCHANGE_PRICE, sample("exchange_price"), "pair", "BTC-USDT"))
        .startsWith(
            "{\"data\":[{\"exchange\":\"binance\",\"pair\":\"BTC/USDT\",\"last\":103992.83,"
                + "\"bid\":104358.93,\"ask\":104460.3,\"high_24h\":107480.62,\"low_24h\":101219.62,"
                + "\"volume_24h_base\":3188723.44,\"change_24h_pct\":-3.38,"
                + "\"timestamp\":1780992800},{\"exchange\":\"okx\",\"pair\":\"BTC/USDT\",")
        .endsWith("\"timestamp\":1780820000}]}");
  }

  @Test
  void aTickersNumbersKeepTheirSpellingAndItsPairLosesTheSettlement() throws IOException {
    String body =
        "{\"data\":[{\"exchange\":\"x\",\"pair\":\"BTC/USDT:USDT\",\"last\":1.50,\"bid\":null}]}";
    assertThat(read(CryptoDataRead.EXCHANGE_PRICE, body, "pair", "BTC-USDT"))
        .contains("\"pair\":\"BTC/USDT\",\"last\":1.50,\"bid\":null,\"ask\":null");
  }

  @Test
  @Tag("spec:record.fear_and_greed")
  void fearAndGreedIsTheStatedRecord() throws IOException {
    assertThat(read(CryptoDataRead.MARKET_FEAR_GREED, sample("market_fear-greed")))
        .isEqualTo(
            "{\"value\":72,\"label\":\"Greed\",\"previous_close\":69,\"timestamp\":1781000000}");
  }

  @Test
  void fearAndGreedTakesTheLatestDayInWhateverOrder() throws IOException {
    String body =
        "{\"data\":[{\"value\":1,\"classification\":\"Fear\",\"timestamp\":100},"
            + "{\"value\":3,\"classification\":\"Greed\",\"timestamp\":300},"
            + "{\"value\":2,\"classification\":\"Neutral\",\"timestamp\":200}]}";
    assertThat(read(CryptoDataRead.MARKET_FEAR_GREED, body))
        .isEqualTo("{\"value\":3,\"label\":\"Greed\",\"previous_close\":2,\"timestamp\":300}");
  }

  @Test
  @Tag("spec:record.wallet_detail")
  void walletDetailIsTheStatedRecord() throws IOException {
    assertThat(read(CryptoDataRead.WALLET_DETAIL, sample("wallet_detail"), "address", ADDRESS))
        .isEqualTo(
            "{\"address\":\""
                + ADDRESS
                + "\",\"labels\":[\"Yes\",\"No\"],\"net_worth_usd\":4076169.06,"
                + "\"chains\":[\"ethereum\",\"base\"],\"risk_score\":0}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"labels\":{\"labels\":[{\"label\":\"Mixer\",\"confidence\":0.875}]}} | 87.5",
        "{\"labels\":{\"entity_type\":\"hacker\",\"labels\":[]}} | 100",
        "{\"labels\":{\"entity_type\":\"fund\"}} | 0",
        "{\"risk_score\":12.30,\"labels\":{}} | 12.30",
        "{\"active_chains\":[{\"chain\":\"base\",\"usd_value\":1.5}]} | null"
      })
  void aRiskScoreIsTheVendorsOrItsLabels(String data, String score) throws IOException {
    String body = "{\"data\":" + data + "}";
    assertThat(read(CryptoDataRead.WALLET_DETAIL, body, "address", ADDRESS))
        .endsWith("\"risk_score\":" + score + "}");
  }

  @Test
  void aNetWorthWithoutATotalIsTheSumOfTheChains() throws IOException {
    String body =
        "{\"data\":{\"active_chains\":[{\"chain\":\"a\",\"usd_value\":0.10},"
            + "{\"chain\":\"b\",\"usd_value\":0.25}]}}";
    assertThat(read(CryptoDataRead.WALLET_DETAIL, body, "address", ADDRESS))
        .contains("\"net_worth_usd\":0.35,\"chains\":[\"a\",\"b\"]");
  }

  /** A sum of what is not told would be too small. */
  @ParameterizedTest
  @ValueSource(strings = {"\"0.25\"", "null", "{}"})
  void aNetWorthOfWhatIsNoNumberIsNull(String value) throws IOException {
    String body =
        "{\"data\":{\"active_chains\":[{\"chain\":\"a\",\"usd_value\":0.10},"
            + "{\"chain\":\"b\",\"usd_value\":"
            + value
            + "}]}}";
    assertThat(read(CryptoDataRead.WALLET_DETAIL, body, "address", ADDRESS))
        .contains("\"net_worth_usd\":null,\"chains\":[\"a\",\"b\"]");
  }

  /** To add a dollar to it would take all memory and hours. */
  @ParameterizedTest
  @ValueSource(strings = {"1e999999999", "1e-999999999", "-1E+2000000"})
  void aNumberOutOfAllProportionMakesTheAnswerUnreadable(String number) {
    String body =
        "{\"data\":{\"active_chains\":[{\"chain\":\"a\",\"usd_value\":1},"
            + "{\"chain\":\"b\",\"usd_value\":"
            + number
            + "}]}}";
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () ->
            assertThatThrownBy(() -> read(CryptoDataRead.WALLET_DETAIL, body, "address", ADDRESS))
                .isInstanceOf(Failure.class));
  }

  @ParameterizedTest
  @Tag("spec:record.wallet_detail")
  @CsvSource(
      delimiter = '|',
      value = {
        "active_chains|\"labels\":[],\"net_worth_usd\":null,\"chains\":null,",
        "evm_balance|\"labels\":[],\"net_worth_usd\":null,\"chains\":[\"a\"],",
        "labels|\"labels\":null,\"net_worth_usd\":3,\"chains\":[\"a\"],\"risk_score\":null"
      })
  void whatTheVendorCouldNotFetchIsNull(String field, String record) throws IOException {
    String body =
        "{\"data\":{\"active_chains\":[{\"chain\":\"a\",\"usd_value\":3}],"
            + "\"labels\":{\"labels\":[]},"
            + "\"errors\":[{\"field\":\""
            + field
            + "\",\"message\":\"timed out\"}]}}";
    assertThat(read(CryptoDataRead.WALLET_DETAIL, body, "address", ADDRESS)).contains(record);
  }

  /** The chain of a wallet in base 58 is known without the vendor. */
  @ParameterizedTest
  @Tag("spec:record.wallet_detail")
  @ValueSource(strings = {ADDRESS, "So11111111111111111111111111111111111111112"})
  void aWalletOfWhichTheVendorCouldFetchNothingIsNoAnswer(String wallet) {
    String body =
        "{\"data\":{\"errors\":[{\"field\":\"active_chains\",\"message\":\"timed out\"},"
            + "{\"field\":\"labels\",\"message\":\"timed out\"}]}}";
    assertThatThrownBy(() -> read(CryptoDataRead.WALLET_DETAIL, body, "address", wallet))
        .isInstanceOf(Failure.class);
  }

  @Test
  @Tag("spec:record.wallet_detail")
  void aTotalThatTheVendorCouldNotFetchIsNull() throws IOException {
    String body =
        "{\"data\":{\"active_chains\":[{\"chain\":\"a\",\"usd_value\":3}],"
            + "\"evm_balance\":{\"total_usd\":0},"
            + "\"errors\":[{\"field\":\"evm_balance\",\"message\":\"timed out\"}]}}";
    assertThat(read(CryptoDataRead.WALLET_DETAIL, body, "address", ADDRESS))
        .contains("\"net_worth_usd\":null,");
  }

  @Test
  @Tag("spec:record.wallet_detail")
  void aBase58WalletIsOnItsChain() throws IOException {
    String wallet = "So11111111111111111111111111111111111111112";
    String body = "{\"data\":{\"sol_balance\":{\"balance\":1},\"labels\":{}}}";
    assertThat(read(CryptoDataRead.WALLET_DETAIL, body, "address", wallet))
        .contains("\"net_worth_usd\":null,\"chains\":[\"solana\"]");
  }

  @Test
  void tradesOfATokenAreTheLatestWithinTheInterval() throws IOException {
    String body =
        "{\"data\":[{\"block_time\":1780999000,\"amount_usd\":1.50},"
            + "{\"block_time\":1780996400},{\"block_time\":1780996399}],\"meta\":{\"limit\":20}}";
    try (WireServer server = WireServer.saying(body);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThat(
              read(
                  client, true, CryptoDataRead.TOKEN_DEX_TRADES, parsed("address=0x1&interval=1h")))
          .isEqualTo(
              "{\"data\":[{\"block_time\":1780999000,\"amount_usd\":1.50},"
                  + "{\"block_time\":1780996400}],\"meta\":{\"limit\":20}}");
      assertThat(read(client, true, CryptoDataRead.TOKEN_DEX_TRADES, parsed("address=0x1")))
          .isEqualTo(body);
    }
  }

  @ParameterizedTest
  @CsvSource({"1h, false, null", "24h, true, 900"})
  void whatAnIntervalLeavesOutEndsTheList(String interval, String more, String total)
      throws IOException {
    String body =
        "{\"data\":[{\"block_time\":1780999000},{\"block_time\":1780990000}],"
            + "\"meta\":{\"has_more\":true,\"total\":900}}";
    try (WireServer server = WireServer.saying(body);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThat(
              read(
                  client,
                  true,
                  CryptoDataRead.TOKEN_DEX_TRADES,
                  parsed("address=0x1&interval=" + interval)))
          .endsWith("\"meta\":{\"has_more\":" + more + ",\"total\":" + total + "}}");
    }
  }

  @Test
  @Tag("spec:decision.records_upstream")
  void withRecordsOfTheUpstreamStatedRecordsPassToo() throws IOException {
    String body = sample("exchange_price");
    try (WireServer server = WireServer.saying(body);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThat(
              read(
                  client,
                  false,
                  CryptoDataRead.EXCHANGE_PRICE,
                  Map.of("pair", List.of("BTC-USDT"))))
          .isEqualTo(body);
    }
  }

  @Test
  @Tag("spec:decision.crypto.pass_through")
  void everyOtherBodyPassesByteForByte() throws IOException {
    String body = sample("market_price");
    assertThat(read(CryptoDataRead.MARKET_PRICE, body, "symbol", "BTC")).isEqualTo(body);
  }

  @ParameterizedTest
  @CsvSource({
    "EXCHANGE_PRICE, pair=btc-usdt, /exchange/price?pair=BTC%2FUSDT",
    "EXCHANGE_PRICE, pair=A1-B2&exchange=okx, /exchange/price?pair=A1%2FB2&exchange=okx",
    "EXCHANGE_PRICE, pair=A1-B2&exchange=exchange-a, "
        + "/exchange/price?pair=A1%2FB2&exchange=thisone",
    "EXCHANGE_DEPTH, pair=A1-B2&exchange=thisone, /exchange/depth?pair=A1%2FB2&exchange=thisone",
    "MARKET_PRICE, symbol=BTC&interval=7d, /market/price?symbol=BTC&time_range=7d",
    "MARKET_PRICE, symbol=BTC, /market/price?symbol=BTC&time_range=30d",
    "MARKET_ETF, , /market/etf?symbol=BTC",
    "MARKET_ETF, symbol=ETH, /market/etf?symbol=ETH",
    "MARKET_ONCHAIN_INDICATOR, symbol=BTC&metric=NVT, "
        + "/market/onchain-indicator?symbol=BTC&metric=nvt",
    "MARKET_PRICE_INDICATOR, symbol=BTC&indicator=Bollinger, "
        + "/market/price-indicator?symbol=BTC&indicator=bbands",
    "ONCHAIN_GAS_PRICE, , /onchain/gas-price?chain=ethereum",
    "SOCIAL_DETAIL, handle=@uniswap, /social/detail?q=uniswap",
    "SOCIAL_TWEETS, 'ids=1,2', '/social/tweets?ids=1%2C2'",
    "FUND_DETAIL, slug=paradigm, /fund/detail?q=paradigm",
    "FUND_DETAIL, slug=0b7d1a4e-6a53-4bb2-9d0a-6f8d5b1a0c11, "
        + "/fund/detail?id=0b7d1a4e-6a53-4bb2-9d0a-6f8d5b1a0c11",
    "PROJECT_DEFI_METRICS, , /project/defi/metrics?metric=tvl&q=uniswap",
    "PROJECT_DEFI_METRICS, id=7, /project/defi/metrics?id=7&metric=tvl",
    "PROJECT_DEFI_RANKING, limit=5, /project/defi/ranking?limit=5&metric=tvl",
    "FUND_RANKING, , /fund/ranking?metric=tier&limit=20&offset=0",
    "TOKEN_TRANSFERS, address=0x1, /token/transfers?address=0x1&limit=20&include=labels&chain=ethereum",
    "NEWS_FEED, symbol=BTC, /news/feed?project=BTC&limit=20",
    "MARKET_ETF, from=2026-06-09&to=1780963200, /market/etf?from=2026-06-09&to=1780963200&symbol=BTC",
    "MARKET_ETF, from=june&to=2026-06-08, /market/etf?from=june&to=2026-06-08&symbol=BTC",
    "SEARCH_VENUE_A, q=a b, /search/somevenue?q=a%20b&limit=20",
    "WEB_FETCH, url=https://example.com/a?b=c, "
        + "/web/fetch?url=https%3A%2F%2Fexample.com%2Fa%3Fb%3Dc",
    "VENUE_A_TRADES, ticker=0xab, "
        + "/prediction-market/somevenue/trades?condition_id=0xab&limit=50",
    "VENUE_A_MARKETS, market_slug=x, "
        + "/prediction-market/somevenue/markets?market_slug=x&limit=20",
    "VENUE_A_MARKETS, category=crypto, "
        + "/search/prediction-market?category=crypto&limit=20&platform=somevenue",
    "VENUE_A_MARKETS, , /search/prediction-market?limit=20&platform=somevenue",
    "VENUE_A_EVENTS, limit=5, "
        + "'/search/somevenue?limit=5&tags=Crypto%2CPolitics%2CSports%2CScience%2CPop%20Culture'",
    "VENUE_A_EVENTS, tags=Crypto&limit=5, /search/somevenue?limit=5&tags=Crypto",
    "VENUE_A_EVENTS, event_slug=x, /prediction-market/somevenue/events?event_slug=x&limit=20",
    "VENUE_B_MARKETS, , /prediction-market/othervenue/markets?limit=20",
    "VENUE_B_MARKETS, category=sports, "
        + "/search/prediction-market?category=sports&limit=20&platform=othervenue",
    "VENUE_B_RANKING, , "
        + "/search/prediction-market?sort_by=volume_7d&order=desc&platform=othervenue",
    "VENUE_A_ACTIVITY, address=0x1, "
        + "/prediction-market/somevenue/trades?address=0x1&limit=20&type=all",
    "TOKEN_TRANSFERS, address=0x1&interval=24h, "
        + "/token/transfers?address=0x1&limit=20&include=labels&chain=ethereum&from=1780913600",
    "TOKEN_TRANSFERS, address=0x1&interval=7d&chain=base, "
        + "/token/transfers?address=0x1&chain=base&limit=20&include=labels&from=1780395200",
    "TOKEN_TRANSFERS, address=So11111111111111111111111111111111111111112, "
        + "/token/transfers?address=So11111111111111111111111111111111111111112&limit=20"
        + "&include=labels&chain=solana",
    "TOKEN_HOLDERS, address=So11111111111111111111111111111111111111112&chain=ethereum, "
        + "/token/holders?address=So11111111111111111111111111111111111111112&chain=ethereum"
        + "&limit=20&include=labels",
    "WALLET_TRANSFERS, address=TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t, "
        + "/wallet/transfers?address=TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t&limit=20&include=labels&chain=tron",
    "TOKEN_DEX_TRADES, address=0x1&interval=1h, "
        + "/token/dex-trades?address=0x1&limit=20&include=labels&chain=ethereum"
  })
  void aReadIsAskedAsTheVendorWants(CryptoDataRead row, String query, String target)
      throws IOException {
    VenueWords words =
        new VenueWords(
            Map.of("venue-a", "somevenue", "venue-b", "othervenue", "exchange-a", "thisone"));
    try (WireServer server = WireServer.saying("{\"data\":[{\"block_time\":1}]}");
        UpstreamClient client = new UpstreamClient(server.settings().with(words))) {
      read(client, false, row, parsed(query));
      assertThat(server.requests().get(0).target()).isEqualTo("/base" + target);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "EXCHANGE_PRICE, pair=BTC, INVALID_PAIR",
    "EXCHANGE_PRICE, pair=BTC/USDT, INVALID_PAIR",
    "EXCHANGE_PRICE, pair=BTC-USDT-X, INVALID_PAIR",
    "EXCHANGE_PRICE, , INVALID_PARAMS",
    "FUND_RANKING, offset=-1, INVALID_PARAMS",
    "MARKET_RANKING, limit=101, INVALID_PARAMS",
    "MARKET_OPTIONS, symbol=NOPE, INVALID_PARAMS",
    "WEB_FETCH, url=file:///etc/passwd, INVALID_PARAMS",
    "WEB_FETCH, url=http://a b, INVALID_PARAMS",
    "EXCHANGE_PRICE, pair=BTC-USDT&exchange=mtgox, INVALID_PARAMS",
    "TOKEN_TRANSFERS, address=0x1&interval=2d, INVALID_PARAMS",
    "TOKEN_DEX_TRADES, address=So11111111111111111111111111111111111111112, INVALID_PARAMS",
    "WALLET_HISTORY, address=So11111111111111111111111111111111111111112, INVALID_PARAMS",
    "WALLET_NET_WORTH, address=So11111111111111111111111111111111111111112, INVALID_PARAMS",
    "WALLET_PROTOCOLS, address=So11111111111111111111111111111111111111112, INVALID_PARAMS",
    "TOKEN_HOLDERS, address=TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t, INVALID_PARAMS",
    "WALLET_DETAIL, address=TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t, INVALID_PARAMS",
    "TOKEN_TRANSFERS, address=0x1&interval=1h&from=1780000000, INVALID_PARAMS",
    "TOKEN_TRANSFERS, address=0x1&from=1781000000&to=1780999999, INVALID_PARAMS",
    "MARKET_PRICE, symbol=BTC&from=2026-06-09&to=2026-06-08, INVALID_PARAMS",
    "MARKET_ETF, from=2026-06-09T10:00:00Z&to=2026-06-09, INVALID_PARAMS",
    "VENUE_A_MARKETS, market_slug=x&category=crypto, INVALID_PARAMS",
    "VENUE_B_MARKETS, market_ticker=x&category=crypto, INVALID_PARAMS",
    "VENUE_B_RANKING, sort_by=open_interest, INVALID_PARAMS",
    "VENUE_A_ACTIVITY, address=0x1&type=trade, INVALID_PARAMS",
    "MARKET_RANKING, category=unknown, INVALID_PARAMS",
    "SOCIAL_MINDSHARE, q=eth&interval=2d, INVALID_PARAMS",
    "NEWS_FEED, limit=51, INVALID_PARAMS",
    "MARKET_PRICE, symbol=BTC&interval=1y, INVALID_PARAMS"
  })
  @Tag("spec:error.crypto.invalid_pair")
  @Tag("spec:error.crypto.invalid_params")
  @Tag("spec:rule.crypto.1")
  void aBadParameterIsRefusedBeforeTheUpstreamIsAsked(
      CryptoDataRead row, String query, ErrorCode code) throws IOException {
    try (WireServer server = WireServer.saying("{}");
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThatThrownBy(() -> read(client, true, row, parsed(query)))
          .isInstanceOfSatisfying(
              Failure.class, failure -> assertThat(failure.code()).isEqualTo(code));
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  @Tag("spec:limit.batch_labels")
  @Tag("spec:rule.crypto.3")
  void atMostAHundredAddressesAreLookedUp() throws IOException {
    List<String> hundred = Collections.nCopies(100, ADDRESS);
    try (WireServer server = WireServer.saying("{\"data\":[]}");
        UpstreamClient client = new UpstreamClient(server.settings())) {
      read(
          client,
          true,
          CryptoDataRead.WALLET_LABELS_BATCH,
          Map.of("addresses[]", hundred.subList(0, 60)));
      read(
          client,
          true,
          CryptoDataRead.WALLET_LABELS_BATCH,
          Map.of("addresses", List.of(String.join(",", hundred))));
      assertThatThrownBy(
              () ->
                  read(
                      client,
                      true,
                      CryptoDataRead.WALLET_LABELS_BATCH,
                      Map.of("addresses", List.of(String.join(",", hundred) + ",0x1"))))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS));
      assertThat(server.requests()).hasSize(2);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "400, INVALID_PARAMS",
    "422, INVALID_PARAMS",
    "404, UPSTREAM_FAILED",
    "408, UPSTREAM_FAILED",
    "429, UPSTREAM_UNAVAILABLE",
    "500, UPSTREAM_FAILED",
    "502, UPSTREAM_FAILED",
    "503, UPSTREAM_UNAVAILABLE"
  })
  void theVendorsErrorsGetTheGroupsCodes(int status, ErrorCode code) throws IOException {
    try (WireServer server =
            WireServer.start(
                (request, wire) ->
                    wire.json(status, "{\"error\":{\"code\":\"X\",\"message\":\"\"}}"));
        UpstreamClient client = new UpstreamClient(server.settings().withRetries(0))) {
      assertThatThrownBy(() -> read(client, true, CryptoDataRead.MARKET_FUTURES, Map.of()))
          .isInstanceOfSatisfying(
              Failure.class, failure -> assertThat(failure.code()).isEqualTo(code));
    }
  }

  /** Another server's 404 says nothing of what was named, nor any to a read that names nothing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FUND_DETAIL | slug=x | {\"error\":{\"code\":\"X\",\"message\":\"no fund\"}} | NOT_FOUND",
        "NEWS_FEED | symbol=X | {\"error\":{\"code\":\"X\",\"message\":\"no such\"}} | NOT_FOUND",
        "PROJECT_DEFI_METRICS | id=7 | {\"error\":{\"message\":\"no project\"}} | NOT_FOUND",
        "FUND_DETAIL | slug=x | {\"detail\":\"Not Found\"} | UPSTREAM_FAILED",
        "FUND_DETAIL | slug=x | {\"message\":\"Not Found\"} | UPSTREAM_FAILED",
        "FUND_DETAIL | slug=x | {\"error\":\"Not Found\"} | UPSTREAM_FAILED",
        "FUND_DETAIL | slug=x | <html>404</html> | UPSTREAM_FAILED",
        "FUND_DETAIL | slug=x | '' | UPSTREAM_FAILED",
        "EXCHANGE_MARKETS | | {\"error\":{\"message\":\"no such path\"}} | UPSTREAM_FAILED",
        "MARKET_RANKING | limit=5 | {\"error\":{\"message\":\"no path\"}} | UPSTREAM_FAILED"
      })
  @Tag("spec:error.crypto.not_found")
  void a404IsTheVendorsOwnOfSomethingNamedOrAFailure(
      CryptoDataRead row, String query, String body, ErrorCode code) throws IOException {
    try (WireServer server = WireServer.start((request, wire) -> wire.json(404, body));
        UpstreamClient client = new UpstreamClient(server.settings().withRetries(0))) {
      assertThatThrownBy(() -> read(client, true, row, parsed(query)))
          .isInstanceOfSatisfying(
              Failure.class, failure -> assertThat(failure.code()).isEqualTo(code));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "limit must be at most 100, limit must be at most 100",
    "see https://vendor.example/docs, A parameter is not accepted"
  })
  void theVendorsWordsPassUnlessTheyHoldAnAddress(String said, String told) throws IOException {
    String body = "{\"error\":{\"code\":\"X\",\"message\":\"" + said + "\"}}";
    try (WireServer server = WireServer.start((request, wire) -> wire.json(400, body));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThatThrownBy(() -> read(client, true, CryptoDataRead.MARKET_FUTURES, Map.of()))
          .hasMessage(told);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FUND_DETAIL | slug=x | {\"data\":null}",
        "FUND_DETAIL | slug=x | {\"data\":{},\"meta\":{\"empty_reason\":\"\"}}",
        "WALLET_DETAIL | address=0x1 | {\"data\":{}}",
        "ONCHAIN_TX | hash=0x1 | {\"data\":[]}",
        "ONCHAIN_GAS_PRICE | chain=base | {\"data\":null}",
        "FUND_PORTFOLIO | slug=x | {\"data\":[],\"meta\":{\"empty_reason\":\"no such fund\"}}",
        "EXCHANGE_PRICE | pair=AA-BB | {\"data\":[]}",
        "EXCHANGE_PERP | pair=AA-BB | {\"data\":[]}",
        "EXCHANGE_DEPTH | pair=AA-BB | {\"data\":[]}",
        "EXCHANGE_KLINES | pair=AA-BB | {\"data\":[],\"meta\":{\"empty_reason\":\"no market\"}}",
        "VENUE_B_PRICES | ticker=x | {\"data\":null}"
      })
  @Tag("spec:error.crypto.not_found")
  @Tag("spec:rule.crypto.4")
  void aSuccessWithoutTheThingNamedIs404(CryptoDataRead row, String query, String body)
      throws IOException {
    try (WireServer server = WireServer.saying(body);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThatThrownBy(() -> read(client, true, row, parsed(query)))
          .isInstanceOfSatisfying(
              Failure.class, failure -> assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND));
    }
  }

  @Test
  @Tag("spec:error.crypto.not_found")
  void theVendorsReasonForNothingIsTold() throws IOException {
    String body = "{\"data\":[],\"meta\":{\"empty_reason\":\"no such fund\"}}";
    assertThatThrownBy(() -> read(CryptoDataRead.FUND_PORTFOLIO, body, "slug", "x"))
        .hasMessageEndingWith(": no such fund");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FUND_PORTFOLIO | slug=x | {\"data\":[]}",
        "FUND_PORTFOLIO | slug=x&offset=40 | {\"data\":[],\"meta\":{\"empty_reason\":\"end\"}}",
        "SEARCH_FUND | q=x | {\"data\":[],\"meta\":{\"empty_reason\":\"no hit\"}}",
        "MARKET_FUTURES | | {\"data\":null}"
      })
  void anEmptyListIsNoError(CryptoDataRead row, String query, String body) throws IOException {
    try (WireServer server = WireServer.saying(body);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThat(read(client, true, row, parsed(query))).isEqualTo(body);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "{}", "{\"data\":{}}", "{\"data\":\"x\"}"})
  void aRecordCannotBeMadeOfAnotherShape(String body) throws IOException {
    try (WireServer server = WireServer.saying(body);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThatThrownBy(() -> read(client, true, CryptoDataRead.MARKET_FEAR_GREED, Map.of()))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"content\":\"\",", "\"content\":\" \\n\",", "\"content\":null,", ""})
  void aPageWithoutAWordIsNotSold(String content) {
    String body = "{\"data\":{" + content + "\"title\":\"t\"},\"meta\":{}}";
    assertThatThrownBy(() -> read(CryptoDataRead.WEB_FETCH, body, "url", "https://a.example/app"))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS));
  }

  /** Each answer of the vendor has data, if only null for an empty list. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "TOKEN_DEX_TRADES | address=0x1&interval=1h | {\"meta\":{\"limit\":20}}",
        "TOKEN_DEX_TRADES | address=0x1&interval=1h | {\"data\":{\"block_time\":1}}",
        "TOKEN_DEX_TRADES | address=0x1 | {\"meta\":{\"limit\":20}}",
        "MARKET_FUTURES | | {}",
        "MARKET_FUTURES | | []",
        "MARKET_FUTURES | | {\"data\":\"none\"}",
        "SEARCH_NEWS | q=x | {\"message\":\"no Route matched\"}",
        "MARKET_FUTURES | | {\"data\":[null]}",
        "MARKET_FUTURES | | {\"data\":[{\"symbol\":\"BTC\"},{}]}",
        "MARKET_FUTURES | | {\"data\":[{\"symbol\":null}]}",
        "SEARCH_NEWS | q=x | {\"data\":[[],\"none\"]}",
        "WALLET_DETAIL | address=0x1 | {\"meta\":{}}"
      })
  void anAnswerWithoutDataIsNotSold(CryptoDataRead row, String query, String body)
      throws IOException {
    for (boolean stated : new boolean[] {true, false}) {
      try (WireServer server = WireServer.saying(body);
          UpstreamClient client = new UpstreamClient(server.settings())) {
        assertThatThrownBy(() -> read(client, stated, row, parsed(query)))
            .isInstanceOfSatisfying(
                Failure.class,
                failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
      }
    }
  }

  /** The specification's numbers are numbers, and a ticker without a price is none. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "EXCHANGE_PRICE | pair=BTC-USDT | {\"exchange\":\"b\",\"pair\":\"BTC/USDT\",\"last\":\"1\"}",
        "EXCHANGE_PRICE | pair=BTC-USDT | {\"exchange\":\"b\",\"pair\":\"BTC/USDT\",\"last\":null}",
        "EXCHANGE_PRICE | pair=BTC-USDT | {\"exchange\":\"b\",\"last\":1}",
        "EXCHANGE_PRICE | pair=BTC-USDT | {\"pair\":\"BTC/USDT\",\"last\":1}",
        "MARKET_FEAR_GREED | | {\"value\":\"55\",\"classification\":\"Greed\",\"timestamp\":1}",
        "MARKET_FEAR_GREED | | {\"classification\":\"Greed\",\"timestamp\":1}",
        "MARKET_FEAR_GREED | | {\"value\":55,\"timestamp\":1}",
        "MARKET_FEAR_GREED | | {\"value\":55,\"classification\":\"Greed\"}"
      })
  void aRecordWithoutWhatItIsForIsNotSold(CryptoDataRead row, String query, String element)
      throws IOException {
    try (WireServer server = WireServer.saying("{\"data\":[" + element + "]}");
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThatThrownBy(() -> read(client, true, row, parsed(query)))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
    }
  }

  private static String read(CryptoDataRead row, String body, String... query) throws IOException {
    try (WireServer server = WireServer.saying(body);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      return read(
          client, true, row, query.length == 0 ? Map.of() : Map.of(query[0], List.of(query[1])));
    }
  }

  private static String read(
      UpstreamClient client, boolean stated, CryptoDataRead row, Map<String, List<String>> query) {
    Answer answer =
        new UpstreamReads(
                client,
                new CryptoDataConnector(stated, client.settings().words()),
                CacheSettings.standard(),
                NOW)
            .read(row, Map.of(), query, Deadline.in(Duration.ofSeconds(30)));
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private static Map<String, List<String>> parsed(String query) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    if (query != null) {
      for (String pair : query.split("&", -1)) {
        String[] parts = pair.split("=", 2);
        parameters.put(parts[0], List.of(parts[1]));
      }
    }
    return parameters;
  }

  private static String sample(String name) throws IOException {
    try (InputStream in = CryptoDataConnectorTest.class.getResourceAsStream(name + ".json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
