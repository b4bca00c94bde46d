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

  private static final Pattern SCRIPT =
      Pattern.compile("<script type=\"module\">(.*)</script>", Pattern.DOTALL);
  private static final Pattern STYLE = Pattern.compile("<style>(.*)</style>", Pattern.DOTALL);

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
        .contains("This call costs <strong id=\"price\">0.0095 USDC on Base</strong>")
        .contains("Crypto data: market etf.", "data-sandbox=\"true\"")
        .contains("octroi.jar pay --max 1 &#39;" + host.http().base() + READ + "&#39;")
        .contains("Authorization: Bearer sk-", "eip155:8453", "9500 atomic units", "worthless")
        .contains("href=\"" + host.http().base() + "/llms.txt\"")
        .doesNotContain("{{");
    assertThat(page.body().split("<script", -1)).hasSize(2);
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

    assertThat(SCRIPT.matcher(page.body()).replaceFirst(""))
        .doesNotContain("<script", "'&b", "b='")
        .contains("a=%3Cscript%3E&amp;b=%27%22%3E");
  }

  @Test
  void thePageLoadsNothingAndRunsTheScriptThatThePolicyNames() throws Exception {
    HttpResponse<String> page = get(READ, BROWSER);

    assertThat(page.headers().firstValue("content-security-policy"))
        .contains(
            "default-src 'none'; script-src 'sha256-"
                + sha256(SCRIPT, page.body())
                + "'; style-src 'sha256-"
                + sha256(STYLE, page.body())
                + "'; connect-src 'self'; img-src data: blob:; base-uri 'none'; form-action 'none';"
                + " frame-ancestors 'none'");
    assertThat(page.body()).doesNotContain(" src=", "<link", "style=");
    assertThat(page.body()).doesNotContainPattern("<[^>]* on[a-z]+=");
  }

  /** The script makes no element of text, and no code of it. */
  @Test
  void theScriptWritesNoMarkup() {
    Matcher script = SCRIPT.matcher(get(READ, BROWSER).body());

    assertThat(script.find()).isTrue();
    assertThat(script.group(1))
        .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(")
        .doesNotContain("new Function", "DOMParser", "parseFloat");
  }

  private static String sha256(Pattern element, String page) throws Exception {
    Matcher found = element.matcher(page);
    assertThat(found.find()).isTrue();
    byte[] hash =
        MessageDigest.getInstance("SHA-256")
            .digest(found.group(1).getBytes(StandardCharsets.UTF_8));
    return Base64.getEncoder().encodeToString(hash);
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
    assertThat(page.body())
        .contains("-X POST -d @body.json", "<textarea id=\"body\"", "&quot;sql&quot; : ")
        .contains("data-method=\"POST\"");
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
