package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A browser gets pages: what is sold, and what is not there; a program gets JSON as before. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HomePageTest {

  private static final String BROWSER =
      "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
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

  private static void assertStrict(HttpResponse<String> page) throws Exception {
    Matcher style = STYLE.matcher(page.body());
    assertThat(style.find()).isTrue();
    byte[] digest =
        MessageDigest.getInstance("SHA-256")
            .digest(style.group(1).getBytes(StandardCharsets.UTF_8));
    assertThat(page.headers().firstValue("content-security-policy"))
        .contains(
            "default-src 'none'; style-src 'sha256-"
                + Base64.getEncoder().encodeToString(digest)
                + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    assertThat(page.body()).doesNotContain("<script", "style=", "{{");
    assertThat(page.headers().allValues("vary")).contains("Accept");
    assertThat(page.headers().firstValue("cache-control")).contains("no-store");
  }

  @Test
  void aBrowserSeesWhatIsSoldAndHowToPay() throws Exception {
    HttpResponse<String> page = get("/", BROWSER);

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("content-type").orElseThrow())
        .isEqualToIgnoringCase("text/html;charset=utf-8");
    assertStrict(page);
    String base = host.http().base().toString();
    assertThat(page.body())
        .contains("<h3>Crypto data</h3>", "<strong>0.0095 USD</strong> a call")
        .contains("<strong>0.001 to 0.0095 USD</strong> a call")
        .contains("<h3>With a wallet</h3>", "<h3>With an API key</h3>", "<h3>As an agent</h3>")
        .contains("<code>" + base + "/mcp</code>", "href=\"" + base + "/docs\"")
        .contains("octroi.jar pay &#39;" + base + "/v1/marketplace/cryptodata/exchange/markets");
  }

  @ParameterizedTest
  @ValueSource(strings = {"*/*", "application/json", "application/json, text/html;q=0.9"})
  void aProgramGetsJson(String accept) {
    HttpResponse<String> answer = get("/", accept);

    assertThat(answer.headers().firstValue("content-type").orElseThrow())
        .startsWithIgnoringCase("application/json");
    assertThat(answer.body()).startsWith("{\"name\":\"Octroi\"");
  }

  @ParameterizedTest
  @CsvSource({
    "/nothing, 404",
    "/v1/marketplace/cryptodata/nothing, 404",
    "/v1/assets/nothing, 404",
    "/mcp, 405"
  })
  void whatIsNotThereIsAPageForABrowserAlone(String path, int status) throws Exception {
    HttpResponse<String> page = get(path, BROWSER);
    HttpResponse<String> json = get(path, "application/json");

    assertThat(page.statusCode()).isEqualTo(status);
    assertStrict(page);
    assertThat(page.body())
        .contains("HTTP " + status, "href=\"" + host.http().base() + "/\"", "Nothing was charged");
    assertThat(json.statusCode()).isEqualTo(status);
    assertThat(json.body()).startsWith("{\"error\":");
    assertThat(page.headers().allValues("allow")).isEqualTo(json.headers().allValues("allow"));
  }

  @Test
  void otherErrorsStayJsonForABrowserToo() {
    HttpResponse<String> refused =
        host.http()
            .send(
                host.http()
                    .request("/mcp")
                    .header("Accept", BROWSER)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString("nonsense"))
                    .build());

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).startsWith("{\"error\":");
  }

  @Test
  void aHostWithoutDocumentsAndToolsNamesNone() {
    try (GatewayHost bare =
        host.beside(
            Map.of(
                "gateway.mcp.enabled",
                "false",
                "gateway.docs.enabled",
                "false",
                "gateway.discovery.enabled",
                "false",
                "gateway.discovery.service-name",
                "<b>Shop</b>",
                "gateway.database.node",
                "bare"))) {
      String page =
          bare.http().send(bare.http().request("/").header("Accept", BROWSER).build()).body();

      assertThat(page)
          .contains("&lt;b&gt;Shop&lt;/b&gt;")
          .doesNotContain("/mcp", "/docs", "/llms.txt", "<b>");
    }
  }
}
