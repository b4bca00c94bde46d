package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A browser that does not pay gets a page, every other caller the challenge as before. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("spec:paywall.html")
class PaywallTest {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";
  private static final String BROWSER =
      "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

  private GatewayHost host;

  @BeforeAll
  void open() {
    host = new GatewayHost(Map.of());
  }

  @AfterAll
  void close() {
    host.close();
  }

  private HttpResponse<String> get(String target, String accept) {
    return host.http().send(host.http().request(target).header("Accept", accept).build());
  }

  @Test
  void aBrowserIsToldWhatItCostsAndHowToPay() {
    HttpResponse<String> page = get(READ, BROWSER);

    assertThat(page.statusCode()).isEqualTo(402);
    assertThat(page.headers().firstValue("content-type").orElseThrow())
        .isEqualToIgnoringCase("text/html;charset=utf-8");
    assertThat(page.body())
        .contains("This call costs <strong>0.0095 USD</strong>", "Crypto data: market etf.")
        .contains("octroi.jar pay --max 1 &#39;" + host.http().base() + READ + "&#39;")
        .contains("Authorization: Bearer sk-", "eip155:8453", "9500 atomic units", "worthless")
        .contains("href=\"" + host.http().base() + "/llms.txt\"")
        .doesNotContain("{{", "<script");
  }

  @Test
  void thePageCanBePaidForLikeAnyChallenge() {
    HttpResponse<String> page = get(READ, BROWSER);
    HttpResponse<String> json = get(READ, "application/json");

    for (String header : List.of("PAYMENT-REQUIRED", "cache-control", "x-sandbox")) {
      assertThat(page.headers().allValues(header)).isEqualTo(json.headers().allValues(header));
    }
    assertThat(page.headers().allValues("vary")).contains("Accept");
    assertThat(host.paid(host.http().request(READ).header("Accept", BROWSER).build()).status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*/*",
        "application/json",
        "application/json, text/html",
        "text/html;q=0.5, application/json;q=0.9",
        "text/html;q=0.5, */*",
        "text/html;q=0"
      })
  void whoeverDoesNotPreferPagesGetsJson(String accept) {
    HttpResponse<String> answer = get(READ, accept);

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(answer.headers().firstValue("content-type").orElseThrow())
        .startsWithIgnoringCase("application/json");
    assertThat(answer.headers().firstValue("content-security-policy")).isEmpty();
    assertThat(answer.body()).startsWith("{\"x402Version\":2");
  }

  @Test
  void nothingOfARequestIsMarkup() {
    HttpResponse<String> page = get(READ + "?a=%3Cscript%3E&b='%22%3E", BROWSER);

    assertThat(page.body())
        .doesNotContain("<script", "'&b", "b='")
        .contains("a=%3Cscript%3E&amp;b=%27%22%3E");
  }

  @Test
  void thePageLoadsNothingAndItsStyleIsTheOneThatThePolicyNames() throws Exception {
    HttpResponse<String> page = get(READ, BROWSER);
    Matcher style = Pattern.compile("<style>(.*)</style>", Pattern.DOTALL).matcher(page.body());

    assertThat(style.find()).isTrue();
    byte[] hash =
        MessageDigest.getInstance("SHA-256")
            .digest(style.group(1).getBytes(StandardCharsets.UTF_8));
    assertThat(page.headers().firstValue("content-security-policy"))
        .contains(
            "default-src 'none'; style-src 'sha256-"
                + Base64.getEncoder().encodeToString(hash)
                + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    assertThat(page.body()).doesNotContain(" src=", "<link", "style=");
  }

  @Test
  void aPaymentThatWasNotTakenIsToldWithItsReason() {
    HttpResponse<String> page =
        host.http()
            .send(
                host.http()
                    .request(READ)
                    .header("Accept", BROWSER)
                    .header("PAYMENT-SIGNATURE", host.payment("/v1/prediction/markets"))
                    .build());

    assertThat(page.statusCode()).isEqualTo(402);
    assertThat(page.body()).contains("The payment that came was not taken:");
  }

  @Test
  void aPostIsShownAsOne() {
    HttpResponse<String> page =
        host.http()
            .send(
                host.http()
                    .request("/v1/marketplace/cryptodata/onchain/sql")
                    .header("Accept", BROWSER)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString("{}"))
                    .build());

    assertThat(page.statusCode()).isEqualTo(402);
    assertThat(page.body()).contains("-X POST -d @body.json");
  }

  @Test
  void itCanBeSwitchedOff() {
    try (GatewayHost plain =
        host.beside(
            Map.of("gateway.discovery.paywall", "false", "gateway.database.node", "plain"))) {
      HttpResponse<String> answer =
          plain.http().send(plain.http().request(READ).header("Accept", BROWSER).build());
      assertThat(answer.body()).startsWith("{\"x402Version\":2");
    }
  }
}
