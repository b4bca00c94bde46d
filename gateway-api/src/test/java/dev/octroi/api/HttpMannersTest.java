package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cross-origin calls and compression. */
class HttpMannersTest {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";

  /** Money that is worth something is taken from all of them. */
  private static final Map<String, String> ALL_PAGES =
      Map.of("gateway.sandbox.allowed-origins", "*");

  private static GatewayHost host;

  @BeforeAll
  static void start() {
    host = new GatewayHost(ALL_PAGES);
    host.vendor()
        .says("/market/etf", 200, "{\"data\":[{\"flow\":\"" + "1.10 ".repeat(2000) + "\"}]}");
  }

  @AfterAll
  static void stop() {
    host.close();
  }

  private static HttpRequest preflight(GatewayHost asked) {
    return asked
        .http()
        .request(READ)
        .header("Origin", "https://shop.example")
        .header("Access-Control-Request-Method", "GET")
        .method("OPTIONS", BodyPublishers.noBody())
        .build();
  }

  @Test
  @Tag("spec:decision.options")
  void aPreflightIsFreeAndAllowsThePaymentHeaders() {
    HttpResponse<String> answer = host.http().send(preflight(host));
    assertThat(answer.statusCode()).isEqualTo(204);
    assertThat(answer.headers().firstValue("Access-Control-Allow-Origin")).contains("*");
    assertThat(answer.headers().firstValue("Access-Control-Allow-Methods").orElse(""))
        .contains("GET", "POST");
    assertThat(answer.headers().firstValue("Access-Control-Allow-Headers").orElse(""))
        .contains("PAYMENT-SIGNATURE", "X-PAYMENT", "Authorization", "X-API-Key")
        .as("what the published client sends with a payment")
        .contains("Access-Control-Expose-Headers");
    assertThat(answer.headers().firstValue("Access-Control-Max-Age")).contains("600");
  }

  @ParameterizedTest
  @ValueSource(strings = {"OPTIONS", "DELETE"})
  void theMethodsOfASoldReadAreToldWithoutHeadWhichIsNotServed(String asking) {
    assertThat(methods(READ, asking)).contains("GET", "OPTIONS").doesNotContain("HEAD");
    assertThat(send(READ, "HEAD").statusCode()).isEqualTo(405);
    assertThat(methods(READ, "HEAD")).contains("GET", "OPTIONS").doesNotContain("HEAD");

    assertThat(methods("/openapi.json", "OPTIONS")).contains("GET", "HEAD");
    assertThat(send("/openapi.json", "HEAD").statusCode()).isEqualTo(200);
  }

  private static List<String> methods(String path, String asking) {
    String allowed = send(path, asking).headers().firstValue("Allow").orElse("");
    return List.of(allowed.split(" *, *", -1));
  }

  private static HttpResponse<String> send(String path, String method) {
    return host.http()
        .send(host.http().request(path).method(method, BodyPublishers.noBody()).build());
  }

  /** They write headers of their own, of which a preflight asks each by its name. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "authorization,content-type,x-stainless-arch,x-stainless-lang,x-stainless-os",
        "anthropic-dangerous-direct-browser-access,anthropic-version,content-type,x-api-key",
        "anthropic-beta,idempotency-key,openai-organization",
      })
  void theVendorsSdksMayCallFromAWebPage(String sent) {
    HttpResponse<String> answer =
        host.http()
            .send(
                host.http()
                    .request("/v1/messages")
                    .header("Origin", "https://shop.example")
                    .header("Access-Control-Request-Method", "POST")
                    .header("Access-Control-Request-Headers", sent)
                    .method("OPTIONS", BodyPublishers.noBody())
                    .build());

    assertThat(answer.statusCode()).isEqualTo(204);
    assertThat(
            answer
                .headers()
                .firstValue("Access-Control-Allow-Headers")
                .orElse("")
                .toLowerCase(Locale.ROOT)
                .split(", *"))
        .contains(sent.split(","));
  }

  @Test
  void aChallengeAndAnErrorCanBeReadByAWebPage() {
    for (String target : new String[] {READ, "/v1/nothing", READ + ";x"}) {
      HttpResponse<String> answer =
          host.http()
              .send(host.http().request(target).header("Origin", "https://shop.example").build());
      assertThat(answer.statusCode()).isGreaterThanOrEqualTo(400);
      assertThat(answer.headers().firstValue("Access-Control-Allow-Origin")).contains("*");
      assertThat(answer.headers().firstValue("Access-Control-Expose-Headers").orElse(""))
          .contains(
              "PAYMENT-REQUIRED",
              "PAYMENT-RESPONSE",
              "X-PAYMENT-RESPONSE",
              "X-PAYMENT-RECEIPT",
              "Request-Id",
              "X-Price-Amount",
              "X-Price-Currency");
    }
  }

  /** Each on a connection of its own: this container ends one on which an upgrade was offered. */
  @Test
  void aClientThatOffersAnUpgradeIsServedAtOnce() throws Exception {
    HttpRequest read = host.http().request(READ).build();
    HttpRequest free =
        host.http()
            .request("/v1/wallet/keys")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{}"))
            .build();
    assertThat(HttpClient.newHttpClient().send(read, BodyHandlers.ofString()).statusCode())
        .isEqualTo(402);
    HttpRequest paid =
        HttpRequest.newBuilder(read, (name, value) -> true)
            .header("PAYMENT-SIGNATURE", host.payment(READ))
            .build();
    assertThat(HttpClient.newHttpClient().send(paid, BodyHandlers.ofString()).statusCode())
        .isEqualTo(200);
    assertThat(HttpClient.newHttpClient().send(free, BodyHandlers.ofString()).statusCode())
        .isBetween(400, 499);
  }

  @Test
  void onlyConfiguredOriginsAreAllowedWhereSomeAreConfigured() {
    try (GatewayHost picky =
        new GatewayHost(
            Map.of(
                "gateway.cors.origins", "https://other.example",
                "gateway.sandbox.allowed-origins", "*"))) {
      HttpResponse<String> refused = picky.http().send(preflight(picky));
      assertThat(refused.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
      assertThat(refused.headers().allValues("Vary")).contains("Origin");
      HttpResponse<String> allowed =
          picky
              .http()
              .send(picky.http().request(READ).header("Origin", "https://other.example").build());
      assertThat(allowed.headers().firstValue("Access-Control-Allow-Origin"))
          .contains("https://other.example");
    }
  }

  @Test
  void aPaidAnswerIsCompressedWhereAskedAndStillHasItsPrice() throws IOException {
    String payment = host.paid(READ).payment();
    assertThat(payment).isNotNull();
    var paid =
        host.paid(
            host.http().request(READ).header("Accept-Encoding", "br;q=1, gzip;q=0.8").build());
    assertThat(paid.status()).isEqualTo(200);
    assertThat(paid.headers().firstValue("Content-Encoding")).contains("gzip");
    assertThat(paid.headers().allValues("Vary")).contains("Accept-Encoding");
    String plain =
        new String(
            new GZIPInputStream(new ByteArrayInputStream(paid.body())).readAllBytes(),
            StandardCharsets.UTF_8);
    assertThat(plain)
        .startsWith("{\"data\":[{\"flow\":\"1.10 ")
        .endsWith(",\"price\":{\"amount\":\"0.009500\",\"currency\":\"USD\"}}");
  }

  @Test
  void aPlainAnswerIsSentWhereNothingElseIsAskedOrTheAnswerIsSmall() {
    assertThat(host.paid(READ).headers().firstValue("Content-Encoding")).isEmpty();
    HttpResponse<byte[]> small =
        host.http()
            .send(
                host.http().request("/").header("Accept-Encoding", "gzip").build(),
                BodyHandlers.ofByteArray());
    assertThat(small.headers().firstValue("Content-Encoding")).isEmpty();
    assertThat(small.headers().allValues("Vary")).contains("Accept-Encoding");
  }
}
