package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A gateway with one vendor: what has none is not sold, and the rest is. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NotSoldTest {

  private GatewayHost host;

  @BeforeAll
  void start() {
    host =
        new GatewayHost(
            Map.of(
                "gateway.upstream.cryptodata.base-address", "",
                "gateway.upstream.websearch.base-address", ""));
  }

  @AfterAll
  void stop() {
    host.close();
  }

  @Test
  void whatHasAVendorIsSold() {
    assertThat(host.http().get("/v1/marketplace/prediction/markets").statusCode()).isEqualTo(402);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /v1/marketplace/cryptodata/market/fear-greed, '{\"error\":{\"code\":\"not_found\"'",
    "GET, /api/v1/marketplace/cryptodata/market/etf?symbol=BTC, '{\"error\":{\"code\":'",
    "POST, /v1/marketplace/cryptodata/onchain/sql, '{\"error\":{\"code\":\"not_found\"'",
    "POST, /v1/marketplace/websearch/search, '{\"error\":{\"code\":\"not_found\"'",
    "POST, /v1/search, '{\"error\":{\"code\":\"not_found\"'",
    "POST, /v1/marketplace/phone/lookup, '{\"error\":{\"code\":\"not_found\"'",
    "POST, /v1/marketplace/phone/numbers/buy, '{\"error\":{\"code\":\"not_found\"'",
    "POST, /v1/marketplace/voice/call, '{\"error\":{\"code\":\"not_found\"'",
    "GET, /v1/marketplace/voice/call/call_1, '{\"error\":{\"code\":\"not_found\"'",
    "POST, /v1/messages, '{\"type\":\"error\"'",
    "POST, /v1/chat/completions, '{\"error\":{\"message\":'",
    "POST, /v1/responses, '{\"error\":{\"message\":'",
    "POST, /v1/images/generations, '{\"error\":{\"message\":'",
    "POST, /v1/images/edits, '{\"error\":{\"message\":'",
    "POST, /v1/audio/generations, '{\"error\":{\"message\":'"
  })
  void whatHasNoneIs404InTheShapeOfItsGroupAndNoPaymentIsAskedFor(
      String method, String path, String body) {
    HttpResponse<String> answer =
        host.http()
            .send(
                host.http()
                    .request(path)
                    .header("Content-Type", "application/json")
                    .method(
                        method,
                        method.equals("GET")
                            ? BodyPublishers.noBody()
                            : BodyPublishers.ofString("{}"))
                    .build());

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(404);
    assertThat(answer.body()).startsWith(body).contains("not_found");
    assertThat(answer.headers().firstValue("PAYMENT-REQUIRED")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"/openapi.json", "/discovery/resources", "/.well-known/x402", "/llms.txt", "/"})
  void itIsListedNowhere(String page) {
    HttpResponse<String> answer = host.http().get(page);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .contains("/v1/marketplace/prediction")
        .doesNotContain("cryptodata")
        .doesNotContain("/v1/marketplace/phone")
        .doesNotContain("/v1/marketplace/voice")
        .doesNotContain("/v1/images")
        .doesNotContain("/v1/audio")
        .doesNotContain("/v1/chat")
        .doesNotContain("/v1/models");
  }

  @Test
  void aPartThatLacksOnlyAKeySaysWhich() {
    Map<String, String> settings =
        Map.of(
            "gateway.upstream.voice.base-address", "https://vendor.example",
            "gateway.upstream.phone.base-address", "https://vendor.example");
    GatewaySettings read = GatewaySettings.read(SettingsSources.none().values("test", settings));
    assertThat(new Surroundings(read, Clock.systemUTC()).unsold().get("Voice"))
        .containsExactly(
            "gateway.voice.encrypted-key is not set: the vendor calls from leased numbers only with"
                + " its key for their carrier");
  }

  @Test
  void realMoneyNeedsNoParticularVendor() {
    Map<String, String> settings = new HashMap<>();
    settings.put("gateway.upstream.prediction.base-address", "https://vendor.example/v2");
    settings.put("gateway.payments.mode", "remote");
    settings.put("gateway.payments.pay-to", "0x1111111111111111111111111111111111111111");
    settings.put("gateway.facilitator.urls", "https://facilitator.example");
    GatewaySettings read = GatewaySettings.read(SettingsSources.none().values("test", settings));

    assertThat(Gateway.builder().settings(read).checked()).isNotNull();
    assertThat(new Surroundings(read, Clock.systemUTC()).unsold())
        .doesNotContainKey("Prediction markets")
        .containsKeys("Phone", "Voice", "Web search", "Smart search", "Music", "Images", "Messages")
        .hasEntrySatisfying(
            "Crypto data",
            missing ->
                assertThat(missing)
                    .isEqualTo(
                        List.of(
                            "gateway.upstream.cryptodata.base-address is not set;"
                                + " gateway.profile=live has the vendor's, gateway.sandbox.url the"
                                + " sandbox's")));
  }
}
