package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spellings of a paid resource's path, sent as they are: none may reach it without payment. */
class PathTricksTest {

  private static GatewayHost host;

  @BeforeAll
  static void start() {
    host = new GatewayHost(Map.of());
  }

  @AfterAll
  static void stop() {
    host.close();
  }

  private static String get(String target) {
    return host.http()
        .raw("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/marketplace%2Fcryptodata/market/etf",
        "/v1/marketplace%2fcryptodata/market/etf",
        "/v1%2Fmarketplace%2Fcryptodata%2Fmarket%2Fetf",
        "/v1/marketplace/cryptodata%2Fmarket/etf",
        "/v1/marketplace/cryptodata/market%2Fetf",
        "/v1/marketplace/cryptodata/market%252Fetf",
        "/v1/marketplace/cryptodata/./market/etf",
        "/v1/marketplace/cryptodata/../cryptodata/market/etf",
        "/v1/marketplace/cryptodata/x/../market/etf",
        "/v1/marketplace/cryptodata/%2e/market/etf",
        "/v1/marketplace/cryptodata/%2e%2e/cryptodata/market/etf",
        "/v1/marketplace/cryptodata/.%2E/cryptodata/market/etf",
        "/v1/marketplace/cryptodata;a=b/market/etf",
        "/v1/marketplace/cryptodata/market;a=b/etf",
        "/v1/marketplace/cryptodata/market/etf;a=b",
        "/v1;/marketplace/cryptodata/market/etf",
        "/v1/marketplace/cryptodata/market/etf%3Ba=b",
        "//v1/marketplace/cryptodata/market/etf",
        "/v1//marketplace/cryptodata/market/etf",
        "/v1/marketplace/cryptodata//market/etf",
        "/v1/marketplace/cryptodata/market/etf/",
        "/v1/marketplace/cryptodata/market/etf//",
        "/v1\\marketplace\\cryptodata/market/etf",
        "/v1/marketplace/cryptodata/market\\etf",
        "/v1/marketplace/cryptodata/market%5Cetf",
        "/V1/marketplace/cryptodata/market/etf",
        "/v1/Marketplace/cryptodata/market/etf",
        "/v1/marketplace/CRYPTODATA/market/etf",
        "/v1/marketplace/cryptodata/Market/etf",
        "/v1/marketplace/cryptodata/market/ETF",
        "/v1/%6Darketplace/cryptodata/market/etf",
        "/v1/marketplace/cryptodata/market/et%66",
        "/v1/marketplace/cryptodata/market/etf%00",
        "/v1/marketplace/cryptodata/market/etf%0d%0aX:y",
        "/v1/marketplace/cryptodata/market/etf%0a",
        "/v1/marketplace/cryptodata/market/etf%20",
        "/v1/marketplace/cryptodata/market/etf%09",
        "/v1/marketplace/cryptodata%C0%AFmarket/etf",
        "/v1/marketplace/cryptodata/market%C0%AFetf",
        "/v1/marketplace/cryptodata/market%E0%80%AFetf",
        "/v1/marketplace/cryptodata/market/etf%FF",
        "/v1/marketplace/cryptodata/market/etf%",
        "/v1/marketplace/cryptodata/market/etf%2",
        "/v1/marketplace/cryptodata/market/etf%zz",
        "/v1/marketplace/cryptodata/market/etf\u00e9",
        "/api/api/v1/marketplace/cryptodata/market/etf",
        "/api//v1/marketplace/cryptodata/market/etf",
        "/v1/prediction/../marketplace/cryptodata/market/etf",
        "/v1/prediction;x/markets",
        "/v1/prediction/venue-a%2Fmarkets",
        "/v1/marketplace/prediction/venue-a/wallet/identities/../../markets",
        "*",
        "http://127.0.0.1/v1/marketplace%2Fcryptodata/market/etf",
        "http://127.0.0.1/v1/marketplace/cryptodata/../cryptodata/market/etf"
      })
  void aTrickIsRefusedAndReachesNothing(String target) {
    assertThat(get(target)).matches("(?s)HTTP/1\\.1 (400|404) .*").doesNotContain("accepts");
    assertThat(host.vendor().asked()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/marketplace%2Fcryptodata/market/etf",
        "/v1/marketplace/cryptodata/market/etf;a=b",
        "/v1/marketplace/cryptodata/market/etf/",
        "/v1/marketplace/cryptodata/%2e/market/etf"
      })
  void theRefusalIsFlat(String target) {
    assertThat(get(target)).containsPattern("\\{\"error\":\"[^\"]+\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://elsewhere.example/v1/marketplace/cryptodata/market/etf",
        "v1/marketplace/cryptodata/market/etf",
        "/v1/marketplace/cryptodata/market/etf?a=%zz"
      })
  void aTargetThatAContainerMayReadAsThePlainOneHasToBePaidToo(String target) {
    assertThat(get(target)).matches("(?s)HTTP/1\\.1 (400|402|403|404) .*");
    assertThat(host.vendor().asked()).isEmpty();
  }

  @Test
  void aLineBreakInTheTargetIsNoSecondHeader() {
    assertThat(get("/v1/marketplace/cryptodata/market/etf\r\nX-Injected: y"))
        .doesNotStartWith("HTTP/1.1 200");
    assertThat(host.vendor().asked()).isEmpty();
  }
}
