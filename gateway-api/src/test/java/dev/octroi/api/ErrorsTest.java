package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.client.PaidAnswer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorsTest {

  private static final String SQL = "/v1/marketplace/cryptodata/onchain/sql";

  private static GatewayHost host;

  @BeforeAll
  static void start() {
    host = new GatewayHost(Map.of("gateway.limits.json-body", "2KiB"));
  }

  @AfterAll
  static void stop() {
    host.close();
  }

  private static HttpRequest.Builder post(String target, String type, String body) {
    return host.http()
        .request(target)
        .header("Content-Type", type)
        .POST(BodyPublishers.ofString(body));
  }

  private static void isFlat(HttpResponse<String> answer, int status) {
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body()).matches("\\{\"error\":\"[^\"]+\"}");
    assertThat(answer.headers().firstValue("PAYMENT-REQUIRED")).isEmpty();
    assertThat(answer.headers().firstValue("Content-Type").orElse("")).contains("json");
  }

  @ParameterizedTest
  @Tag("spec:error.status.404")
  @Tag("spec:decision.crypto.not_shown")
  @ValueSource(
      strings = {
        "/nothing",
        "/v1",
        "/v1/nothing",
        "/v1/marketplace",
        "/v1/marketplace/cryptodata",
        "/v1/marketplace/cryptodata/nothing",
        "/v1/marketplace/cryptodata/exchange/price/more",
        "/v1/marketplace/cryptodata/prediction-market/venue-b/positions",
        "/v1/marketplace/cryptodata/prediction-market/venue-a/ranking",
        "/v1/marketplace/prediction",
        "/v1/marketplace/prediction/venue-z/markets",
        "/v1/prediction/nothing"
      })
  void aPathThatIsNotThereIsFlat404WithoutChallenge(String path) {
    isFlat(host.http().get(path), 404);
  }

  @Test
  @Tag("spec:error.status.405")
  void aMethodThatIsNotThereIsFlat405AndNamesThoseThatAre() {
    HttpResponse<String> answer =
        host.http().send(host.http().request("/v1/prediction/markets").DELETE().build());
    isFlat(answer, 405);
    assertThat(answer.headers().firstValue("Allow").orElse("")).contains("GET");
  }

  @Test
  void aGetOfAPostIsNeverAChallenge() {
    // Implementations differ in whether the wildcard is tried when a literal path has no GET.
    assertThat(host.http().get(SQL).statusCode()).isIn(404, 405);
  }

  @Test
  void aHeadOfAPaidReadIs405() {
    HttpRequest head =
        host.http()
            .request("/v1/prediction/markets")
            .method("HEAD", BodyPublishers.noBody())
            .build();
    assertThat(host.http().send(head).statusCode()).isEqualTo(405);
  }

  @Test
  @Tag("spec:error.status.415")
  void aBodyThatIsNotJsonIsFlat415BeforeAnyPayment() {
    isFlat(host.http().send(post(SQL, "text/plain", "SELECT 1").build()), 415);
    isFlat(
        host.http().send(host.http().request(SQL).POST(BodyPublishers.ofString("{}")).build()),
        415);
  }

  @Test
  @Tag("spec:error.status.413")
  void aBodyOverTheLimitIsFlat413WhetherItSaysSoOrNot() {
    String large = "{\"sql\":\"" + "x".repeat(3000) + "\"}";
    isFlat(host.http().send(post(SQL, "application/json", large).build()), 413);
    PaidAnswer chunked =
        host.paid(
            host.http()
                .request(SQL)
                .header("Content-Type", "application/json")
                .POST(
                    BodyPublishers.fromPublisher(
                        BodyPublishers.ofByteArrays(
                            List.of(
                                large.substring(0, 1500).getBytes(StandardCharsets.UTF_8),
                                large.substring(1500).getBytes(StandardCharsets.UTF_8)))))
                .build());
    assertThat(chunked.status()).isEqualTo(413);
    assertThat(GatewayHost.text(chunked)).startsWith("{\"error\":\"");
    assertThat(chunked.receipt()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "exchange/price             | 400 | invalid_params",
        "exchange/price?pair=BTCUSD | 400 | invalid_pair",
        "wallet/labels/batch        | 400 | invalid_params"
      })
  @Tag("spec:error.crypto.invalid_pair")
  @Tag("spec:error.crypto.invalid_params")
  @Tag("spec:error.shape.nested")
  @Tag("spec:error.status.400")
  void aBadParameterOfCryptoDataIsNestedAndUncharged(String target, int status, String code) {
    PaidAnswer answer = host.paid("/v1/marketplace/cryptodata/" + target);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(GatewayHost.text(answer))
        .matches("\\{\"error\":\\{\"code\":\"" + code + "\",\"message\":\"[^\"]+\"}}");
    assertThat(answer.receipt()).isNull();
  }

  @Test
  @Tag("spec:decision.order_of_work")
  void anUnpaidCallIsChallengedBeforeItsParametersAreLookedAtAndAPaidOneIsGivenBack() {
    String read = "/v1/marketplace/cryptodata/exchange/price";
    assertThat(host.http().get(read + "?pair=none").statusCode()).isEqualTo(402);
    assertThat(host.vendor().asked()).noneMatch(target -> target.startsWith("/exchange/price"));
    PaidAnswer refused = host.paid(read + "?pair=none");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(host.vendor().asked()).noneMatch(target -> target.startsWith("/exchange/price"));

    host.vendor()
        .says(
            "/exchange/price",
            200,
            "{\"data\":[{\"exchange\":\"e\",\"pair\":\"A1/B1\",\"last\":1}]}");
    HttpResponse<String> sold =
        host.http()
            .send(
                host.http()
                    .request(read + "?pair=A1-B1")
                    .header("PAYMENT-SIGNATURE", refused.payment())
                    .build());
    assertThat(sold.statusCode()).isEqualTo(200);
    assertThat(sold.headers().firstValue("PAYMENT-RESPONSE")).isPresent();
  }

  @Test
  @Tag("spec:error.prediction.invalid_address")
  void aBadAddressOfAWalletIsNestedAndUncharged() {
    PaidAnswer answer = host.paid("/v1/prediction/venue-a/wallet/someone.eth");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(GatewayHost.text(answer)).contains("\"code\":\"invalid_address\"");
    assertThat(answer.receipt()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"not json", "{\"sql\":", "", "[[[[[[[["})
  @Tag("spec:error.status.400")
  void aBodyThatIsNoJsonIs400(String body) {
    PaidAnswer answer = host.paid(post(SQL, "application/json", body).build());
    assertThat(answer.status()).isEqualTo(400);
    assertThat(GatewayHost.text(answer)).contains("\"code\":\"invalid_params\"");
  }

  @Test
  void aBodyThatNestsTooDeepIs400() {
    String deep = "{\"addresses\":" + "[".repeat(70) + "]".repeat(70) + "}";
    PaidAnswer answer =
        host.paid(
            post("/v1/prediction/venue-a/wallet/identities", "application/json", deep).build());
    assertThat(answer.status()).isEqualTo(400);
    assertThat(GatewayHost.text(answer)).contains("\"code\":\"invalid_params\"");
  }

  @Test
  @Tag("spec:error.status.502")
  void anUpstreamThatFailsIsNestedUnchargedAndSaysNothingOfTheInside() {
    host.vendor().says("/market/futures", 500, "java.lang.NullPointerException at com.vendor");
    PaidAnswer answer = host.paid("/v1/marketplace/cryptodata/market/futures");
    assertThat(answer.status()).isEqualTo(502);
    assertThat(GatewayHost.text(answer))
        .contains("\"code\":\"upstream_failed\"")
        .doesNotContain("Exception", "vendor");
    assertThat(answer.receipt()).isNull();
  }

  @Test
  void aPaymentHeaderThatIsNoneIsFlat400() {
    isFlat(
        host.http()
            .send(
                host.http()
                    .request("/v1/prediction/markets")
                    .header("PAYMENT-SIGNATURE", "%%%")
                    .build()),
        400);
  }
}
