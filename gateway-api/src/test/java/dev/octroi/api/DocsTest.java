package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The documentation page: its files, its manners, and the sandbox's wallet behind it. */
class DocsTest {

  private static final String SOLD = "/v1/marketplace/cryptodata/market/etf";
  private static final ObjectMapper JSON = new ObjectMapper();

  private static GatewayHost host;

  @BeforeAll
  static void start() {
    // Every page may come as far as the wallet, which has a gate of its own.
    host = new GatewayHost(Map.of("gateway.sandbox.allowed-origins", "*"));
  }

  @AfterAll
  static void stop() {
    host.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/docs",
        "/docs/docs.js",
        "/docs/docs.css",
        "/docs/icon.svg",
        "/docs/swagger-ui.css",
        "/docs/swagger-ui-bundle.js",
        "/docs/swagger-ui-bundle.js.LICENSE.txt"
      })
  void everyFileOfThePageIsServedUnderAStrictPolicy(String path) {
    HttpResponse<String> answer = host.http().get(path);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isNotBlank();
    assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
        .startsWith("default-src 'none'")
        .doesNotContain("unsafe", "http", "*");
    String tag = answer.headers().firstValue("ETag").orElseThrow();
    HttpRequest again = host.http().request(path).header("If-None-Match", tag).build();
    assertThat(host.http().send(again).statusCode()).isEqualTo(304);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/docs/nothing.js", "/docs/docs.html", "/docs/..%2Fpom.xml"})
  void nothingElseIsServedBesideIt(String path) {
    assertThat(host.http().get(path).statusCode()).isBetween(400, 404);
  }

  @Test
  void thePageHasNoCodeOrStyleOfItsOwnAndNothingFromElsewhere() {
    assertThat(host.http().get("/docs").body())
        .doesNotContain("<script>", "<style", "style=", "onclick", "src=\"http", "href=\"http");
  }

  @Test
  void theSandboxPaysForACallThatIsTriedOnThePage() throws Exception {
    JsonNode signed = JSON.readTree(pay(challenge(host), ownOrigin(host), host).body());
    HttpRequest paid =
        host.http()
            .request(SOLD)
            .header("PAYMENT-SIGNATURE", signed.path("payment").asText())
            .build();

    assertThat(signed.path("amount").asText()).isEqualTo("9500");
    assertThat(host.http().send(paid).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://elsewhere.example", "null", "http://127.0.0.1:1", "no uri"})
  void aPageOfAnotherSiteGetsNoPayment(String origin) {
    assertThat(pay(challenge(host), origin, host).statusCode()).isEqualTo(403);
  }

  @Test
  void aSiteWhoseNamePointsHereGetsNoPayment() {
    String body = "{\"challenge\":\"" + challenge(host) + "\"}";
    assertThat(
            host.http()
                .raw(
                    "POST /docs/pay HTTP/1.1\r\nHost: rebound.example\r\nOrigin: "
                        + "http://rebound.example\r\nContent-Type: application/json\r\n"
                        + "Connection: close\r\nContent-Length: "
                        + body.length()
                        + "\r\n\r\n"
                        + body))
        .startsWith("HTTP/1.1 403");
  }

  @Test
  void aChallengeOfAnotherGatewayIsNotPaid() throws Exception {
    JsonNode theirs = JSON.readTree(Base64.getDecoder().decode(challenge(host)));
    theirs
        .path("accepts")
        .forEach(
            offer ->
                ((ObjectNode) offer).put("payTo", "0x00000000000000000000000000000000000000aa"));
    String header = Base64.getEncoder().encodeToString(JSON.writeValueAsBytes(theirs));

    assertThat(pay(header, ownOrigin(host), host).statusCode()).isEqualTo(400);
    assertThat(pay("%%%", ownOrigin(host), host).statusCode()).isEqualTo(400);
  }

  @Test
  void thereIsNoSuchWalletWhereMoneyIsWorthSomething() {
    try (GatewayHost real =
        new GatewayHost(
            Map.of(
                "gateway.payments.mode", "remote",
                "gateway.payments.pay-to", "0x00000000000000000000000000000000000000aa",
                "gateway.facilitator.urls", "http://127.0.0.1:1"))) {
      HttpResponse<String> answer = pay("e30=", ownOrigin(real), real);

      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(real.http().get("/docs").statusCode()).isEqualTo(200);
    }
  }

  private static String challenge(GatewayHost asked) {
    return asked.http().get(SOLD).headers().firstValue("PAYMENT-REQUIRED").orElseThrow();
  }

  private static String ownOrigin(GatewayHost asked) {
    return asked.http().base().toString();
  }

  private static HttpResponse<String> pay(String challenge, String origin, GatewayHost asked) {
    byte[] body = ("{\"challenge\":\"" + challenge + "\"}").getBytes(StandardCharsets.UTF_8);
    return asked
        .http()
        .send(
            asked
                .http()
                .request("/docs/pay")
                .header("Origin", origin)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(body))
                .build());
  }
}
