package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.client.PaidAnswer;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaidReadsTest {

  private static GatewayHost host;

  @BeforeAll
  static void start() {
    host = new GatewayHost(Map.of("gateway.venues.venue-a", "agora"));
    host.vendor().says("/market/etf", 200, "{\"data\":[{\"flow\":1.10}],\"meta\":{}}");
  }

  @AfterAll
  static void stop() {
    host.close();
  }

  @ParameterizedTest
  @Tag("spec:payment.rule.1")
  @CsvSource({
    "/v1/marketplace/cryptodata/market/etf, 9500",
    "/api/v1/marketplace/cryptodata/market/etf, 9500",
    "/v1/marketplace/prediction/venue-a/markets, 1000",
    "/v1/prediction/venue-a/markets, 1000",
    "/v1/prediction/agora/markets, 1000"
  })
  void anUnpaidCallIsAnsweredWithItsPrice(String path, String amount) {
    HttpResponse<String> answer = host.http().get(path);
    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(answer.body()).contains("\"amount\":\"" + amount + "\"");
    assertThat(answer.headers().firstValue("PAYMENT-REQUIRED")).isPresent();
    assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
  }

  @Test
  @Tag("spec:rule.general.1")
  @Tag("spec:auth.private_key.evm")
  void aPaidReadIsTheVendorsAnswerWithItsPrice() {
    PaidAnswer answer = host.paid("/v1/marketplace/cryptodata/market/etf");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(GatewayHost.text(answer))
        .isEqualTo(
            "{\"data\":[{\"flow\":1.10}],\"meta\":{},"
                + "\"price\":{\"amount\":\"0.009500\",\"currency\":\"USD\"}}");
    assertThat(host.vendor().asked()).anyMatch(target -> target.startsWith("/market/etf"));
  }

  @Test
  @Tag("spec:decision.venue_words")
  @Tag("spec:decision.unlisted_parameters")
  void aPaidReadUnderAnAliasReachesTheVendorUnderItsOwnName() {
    assertThat(host.paid("/api/v1/prediction/agora/events?x=%C3%A9").status()).isEqualTo(200);
    assertThat(host.vendor().asked()).anyMatch(target -> target.startsWith("/agora/events"));
  }

  @Test
  void aPaidPostReachesTheVendor() {
    String address = "0x1111111111111111111111111111111111111111";
    String profiles = "{\"profiles\":{\"" + address + "\":{\"type\":\"proxy\"}}";
    host.vendor().says("/agora/wallet/identities", 200, profiles + "}");
    PaidAnswer answer =
        host.paid(
            host.http()
                .request("/v1/marketplace/prediction/venue-a/wallet/identities")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"addresses\":[\"" + address + "\"]}"))
                .build());
    assertThat(GatewayHost.text(answer))
        .isEqualTo(profiles + ",\"price\":{\"amount\":\"0.009500\",\"currency\":\"USD\"}}");
  }

  @Test
  @Tag("spec:decision.freshness")
  void anAnswerThatIsStillFreshIsChargedLikeAnyOther() {
    String read = "/v1/prediction/venue-a/cohorts/stats";
    PaidAnswer first = host.paid(read);
    PaidAnswer again = host.paid(read);
    assertThat(host.vendor().asked()).filteredOn("/agora/cohorts/stats"::equals).hasSize(1);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.receipt()).isNotNull();
    assertThat(again.receipt().transaction()).isNotEqualTo(first.receipt().transaction());
    assertThat(GatewayHost.text(again)).contains("\"amount\":\"0.001000\"");
  }

  @Test
  @Tag("spec:decision.price_in_body")
  @Tag("spec:price.headers")
  void aGroupsAnswersCanGoWithoutThePriceInTheirBodies() {
    try (GatewayHost bare =
        new GatewayHost(Map.of("gateway.payments.price-in-body", "prediction"))) {
      bare.vendor().says("/market/etf", 200, "{\"data\":[]}");
      PaidAnswer coins = bare.paid("/api/v1/marketplace/cryptodata/market/etf");
      assertThat(GatewayHost.text(coins)).isEqualTo("{\"data\":[]}");
      assertThat(coins.headers().firstValue("X-Price-Amount")).contains("0.009500");
      assertThat(GatewayHost.text(bare.paid("/v1/prediction/venue-a/events")))
          .contains("\"price\"");
    }
  }

  @Test
  @Tag("spec:decision.records_upstream")
  void theVendorsOwnRecordsAreSoldWhereTheOperatorSaysSo() {
    String said = "{\"data\":[{\"value\":1,\"timestamp\":2}]}";
    try (GatewayHost own =
        new GatewayHost(
            Map.of(
                "gateway.upstream.cryptodata.records", "upstream",
                "gateway.payments.price-in-body", "prediction"))) {
      own.vendor().says("/market/fear-greed", 200, said);
      assertThat(GatewayHost.text(own.paid("/v1/marketplace/cryptodata/market/fear-greed")))
          .isEqualTo(said);
    }
  }

  @Test
  void theBaseAddressSaysWhatThisIs() {
    HttpResponse<String> answer = host.http().get("/");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .contains("\"name\":\"Octroi\"", "\"sandbox\":true", "/v1/marketplace/prediction");
  }

  @Test
  void everyAnswerIsLabelledAndNumbered() {
    HttpResponse<String> answer =
        host.http()
            .send(host.http().request("/v1/nothing").header("X-Request-Id", "mine-7").build());
    assertThat(answer.headers().firstValue("X-Request-Id")).contains("mine-7");
    assertThat(answer.headers().firstValue("X-Sandbox")).contains("octroi");
    assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(host.http().get("/").headers().firstValue("X-Request-Id").orElseThrow())
        .matches("[0-9a-f]{16}");
  }
}
