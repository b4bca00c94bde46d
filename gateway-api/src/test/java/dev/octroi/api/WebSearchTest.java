package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.services.read.UpstreamJson;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Web search over HTTP with a vendor that says what a test tells it to. */
class WebSearchTest {

  private static final String WEB = "/v1/marketplace/websearch";
  private static final String FETCH = "/v1/marketplace/cryptodata/web/fetch?url=";
  private static final Map<String, String> NO_VENDOR =
      Map.of("gateway.upstream.websearch.base-address", "");

  private static final String FOUND =
      """
      {"requestId":"r","results":[{"id":"https://a.example/","title":"A","url":"https://a.example/",
      "text":"t","score":0.4600165784358978000,"author":null,"image":"i"}],"costDollars":{"total":0.005}}""";

  /** What the vendor bills; similar pages are sold. */
  private static final Map<String, String> RATES =
      Map.of(
          "gateway.websearch.find-similar", "true",
          "gateway.websearch.rates.search", "0.007",
          "gateway.websearch.rates.result", "0.001",
          "gateway.websearch.rates.page", "0.001");

  private static final Map<Map<String, String>, GatewayHost> HOSTS = new HashMap<>();

  private GatewayHost host;

  @AfterAll
  static void close() {
    HOSTS.values().forEach(GatewayHost::close);
  }

  /** Tests that want the same settings share a gateway. */
  private void start(Map<String, String> settings) {
    host = HOSTS.computeIfAbsent(settings, GatewayHost::new);
  }

  private String lastBody() {
    List<String> bodies = host.vendor().bodies();
    return bodies.get(bodies.size() - 1);
  }

  private HttpRequest post(String method, String body) {
    return host.http()
        .request(WEB + "/" + method)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  private PaidAnswer paid(String method, String body) {
    return host.paid(post(method, body));
  }

  @Test
  @Tag("spec:endpoint.websearch.search")
  void theRecordHasWhatIsStatedAndNumbersKeepTheirSpelling() {
    start(Map.of());
    host.vendor().says("/search", 200, FOUND);
    PaidAnswer answer = paid("search", "{\"query\":\"q\",\"numResults\":3,\"type\":\"fast\"}");
    assertThat(GatewayHost.text(answer))
        .isEqualTo(
            "{\"results\":[{\"title\":\"A\",\"url\":\"https://a.example/\",\"score\":"
                + "0.4600165784358978000,\"publishedDate\":null,\"author\":null}],\"query\":\"q\","
                + "\"price\":{\"amount\":\"0.012000\",\"currency\":\"USD\"}}");
    assertThat(lastBody()).isEqualTo("{\"query\":\"q\",\"numResults\":3,\"type\":\"fast\"}");
  }

  /** One address each, that can be visited, and as many as were asked for. */
  @Test
  void aResultIsAPageOfTheWebAndStandsThereOnce() {
    start(Map.of("gateway.websearch.find-similar", "true"));
    String page = "{\"title\":\"T\",\"url\":\"%s\",\"score\":1},";
    String said =
        "{\"results\":["
            + page.formatted("https://a.example/")
            + page.formatted("javascript:alert(1)")
            + page.formatted("https://a.example/")
            + "{\"title\":\"none\"},{\"title\":\"none\",\"url\":null},"
            + page.formatted("HTTP://b.example/ä b|c")
            + page.formatted("https://c.example/")
            + "null]}";
    for (String method : List.of("/search", "/findSimilar")) {
      host.vendor().says(method, 200, said);
    }
    for (PaidAnswer answer :
        List.of(
            paid("search", "{\"query\":\"q\",\"numResults\":2}"),
            paid("find-similar", "{\"url\":\"https://z.example/\",\"numResults\":2}"))) {
      assertThat(json(answer).path("results").valueStream().map(one -> one.path("url").asText()))
          .containsExactly("https://a.example/", "HTTP://b.example/ä b|c");
    }
  }

  /** That there is none is the answer to the question. */
  @Test
  void aSearchThatFindsNothingIsAnsweredAndCharged() {
    start(Map.of());
    host.vendor().says("/search", 200, "{\"results\":[]}");
    PaidAnswer answer = paid("search", "{\"query\":\"q\"}");
    assertThat(GatewayHost.text(answer)).startsWith("{\"results\":[],\"query\":\"q\",");
    assertThat(answer.receipt()).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"upstream", "mapped"})
  void resultsOfWhichNoneIsAPageAreNotSold(String records) {
    start(Map.of("gateway.upstream.websearch.records", records));
    host.vendor().says("/search", 200, "{\"results\":[{\"title\":\"T\"},{\"url\":\"data:x\"}]}");
    PaidAnswer answer = paid("search", "{\"query\":\"q\"}");
    assertThat(answer.status()).isEqualTo(502);
    assertThat(answer.receipt()).isNull();
  }

  @Test
  void everyFilterIsToldToTheVendorInItsWords() {
    start(Map.of());
    host.vendor().says("/search", 200, FOUND);
    paid(
        "search",
        "{\"query\":\"q\",\"category\":\"research paper\",\"startPublishedDate\":\"2026-01-02\","
            + "\"endPublishedDate\":\"2026-01-02T03:04:05+01:00\",\"type\":\"auto\","
            + "\"includeDomains\":[\"a.example\"],\"excludeDomains\":[\"b.example\"]}");
    assertThat(lastBody())
        .isEqualTo(
            "{\"query\":\"q\",\"numResults\":10,\"type\":\"auto\",\"category\":\"publication\","
                + "\"startPublishedDate\":\"2026-01-02T00:00:00Z\","
                + "\"endPublishedDate\":\"2026-01-02T02:04:05Z\","
                + "\"includeDomains\":[\"a.example\"],\"excludeDomains\":[\"b.example\"]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          search       | "query":"q","stream":true                     | 'stream'
          search       | "query":"q","text":true                       | 'text'
          search       | "query":"q","urls":["a"]                      | 'urls'
          search       | "query":"q","useAutoprompt":true              | 'useAutoprompt'
          search       | "query":"q","startCrawlDate":"2026-01-01"     | 'startCrawlDate'
          search       | "query":"q","outputSchema":{"type":"text"}    | 'outputSchema'
          search       | "query":"q","type":"deep"                     | type is one of
          search       | "query":"q","contents":{"summary":true}       | summary
          search       | "query":"q","category":"pdf"                  | category pdf
          search       | "query":"q","category":"company","endPublishedDate":"2026-01-01" | endPublishedDate
          search       | "query":"q","category":"people","excludeDomains":["a"]           | excludeDomains
          search       | "query":"q","includeDomains":["a b"]          | includeDomains
          search       | "query":"q","includeDomains":"a"              | includeDomains
          search       | "query":"q","includeDomains":[null]           | includeDomains
          search       | "query":"q","excludeDomains":["a.b",null]     | excludeDomains
          contents     | "ids":["https://a.example/"],"summary":true   | 'summary'
          contents     | "urls":["https://a.example/"]                 | ids is required
          answer       | "query":"q","systemPrompt":"s"                | 'systemPrompt'
          answer       | "query":"q","outputSchema":{}                 | 'outputSchema'
          answer       | "query":"q","model":"other"                   | model is
          answer       | "query":"q","stream":"yes"                    | stream
          highlights   | "query":"q","ids":["https://a.example/"],"maxCharacters":9 | 'maxCharacters'
          find-similar | "url":"https://a.example/","excludeSourceDomain":true      | 'excludeSourceDomain'
          """)
  void whatASearchCannotHaveIsRefusedByNameUnaskedAndUncharged(
      String method, String members, String said) {
    start(Map.of("gateway.websearch.find-similar", "true"));
    int asked = host.vendor().asked().size();
    PaidAnswer answer = paid(method, "{" + members + "}");
    assertThat(answer.status()).as(GatewayHost.text(answer)).isEqualTo(400);
    assertThat(GatewayHost.text(answer)).contains("\"code\":\"invalid_params\"", said);
    assertThat(answer.receipt()).isNull();
    assertThat(host.vendor().asked()).hasSize(asked);
  }

  @Test
  void textsAndPassagesComeAlongWhereTheyAreWanted() {
    start(Map.of());
    String page =
        "{\"id\":\"i\",\"url\":\"https://u\",\"title\":\"t\",\"text\":\"x\",\"highlights\":[\"h\"]}";
    host.vendor().says("/search", 200, "{\"results\":[" + page + "]}");
    String contents =
        "{\"text\":{\"maxCharacters\":10000},\"highlights\":{\"query\":\"why\",\"numSentences\":2}}";
    PaidAnswer answer = paid("search", "{\"query\":\"q\",\"contents\":" + contents + "}");
    assertThat(lastBody())
        .isEqualTo("{\"query\":\"q\",\"numResults\":10,\"contents\":" + contents + "}");
    assertThat(GatewayHost.text(answer))
        .startsWith(
            "{\"results\":[{\"title\":\"t\",\"url\":\"https://u\",\"score\":null,\"publishedDate\":null,"
                + "\"author\":null,\"id\":\"i\",\"text\":\"x\",\"highlights\":[\"h\"],"
                + "\"highlightScores\":null}],\"query\":\"q\"");
  }

  @Test
  @Tag("spec:record.answer.answer")
  void anAnswerIsGivenInTheVendorsShapeTooWhereItIsAskedForSo() {
    start(Map.of("gateway.websearch.answer-model", "teacher"));
    String cited =
        "{\"id\":\"i\",\"url\":\"https://u\",\"title\":\"t\",\"author\":\"a\",\"text\":\"x\"}";
    host.vendor().says("/answer", 200, "{\"answer\":\"yes\",\"citations\":[" + cited + "]}");
    String asked = "{\"query\":\"q\",\"stream\":false,\"text\":true,\"model\":\"teacher\"}";
    assertThat(GatewayHost.text(paid("answer", asked)))
        .startsWith(
            "{\"answer\":\"yes\",\"sources\":[{\"title\":\"t\",\"url\":\"https://u\"}],\"citations\":[{\"id\":\"i\","
                + "\"url\":\"https://u\",\"title\":\"t\",\"publishedDate\":null,\"author\":\"a\",\"text\":\"x\"}],"
                + "\"price\"");
    assertThat(lastBody()).isEqualTo("{\"query\":\"q\",\"text\":true}");
    assertThat(GatewayHost.text(paid("answer", "{\"query\":\"q\"}")))
        .startsWith(
            "{\"answer\":\"yes\",\"sources\":[{\"title\":\"t\",\"url\":\"https://u\"}],\"price\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"\"", "\" \"", "null", "{}"})
  void anAnswerWithoutWordsCostsNothing(String answer) {
    start(Map.of());
    assertNotSold(answer);
  }

  @Test
  void anAnswerWithoutWordsCostsNothingWhereTheVendorsBodyPassesEither() {
    start(Map.of("gateway.upstream.websearch.records", "upstream"));
    assertNotSold("\" \"");
    host.vendor().says("/search", 200, "{\"requestId\":\"r\"}");
    PaidAnswer nothing = paid("search", "{\"query\":\"q\"}");
    assertThat(nothing.status()).isEqualTo(502);
    assertThat(nothing.receipt()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"\"", "\" \"", "null"})
  void contentsWithoutAWordCostNothing(String text) {
    start(Map.of());
    String page = "{\"id\":\"u\",\"url\":\"u\",\"title\":\"t\",\"text\":%s}".formatted(text);
    host.vendor().says("/contents", 200, "{\"results\":[" + page + "," + page + "]}");
    PaidAnswer nothing = paid("contents", "{\"ids\":[\"https://a.example/\"]}");
    assertThat(nothing.status()).isEqualTo(422);
    assertThat(nothing.receipt()).isNull();
  }

  private void assertNotSold(String answer) {
    host.vendor().says("/answer", 200, "{\"answer\":" + answer + ",\"citations\":[]}");
    for (String asked : new String[] {"{\"query\":\"q\"}", "{\"query\":\"q\",\"stream\":true}"}) {
      PaidAnswer refused = paid("answer", asked);
      assertThat(refused.status()).isEqualTo(502);
      assertThat(refused.receipt()).isNull();
    }
  }

  private static JsonNode json(PaidAnswer answer) {
    return UpstreamJson.tree(GatewayHost.text(answer).getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void anAnswerIsAStreamWhereItIsAskedForSoAndChargedOnceItIsWhole() {
    start(Map.of());
    host.vendor()
        .says("/answer", 200, "{\"answer\":\"yes\",\"citations\":[{\"url\":\"https://u\"}]}");
    PaidAnswer answer = paid("answer", "{\"query\":\"q\",\"stream\":true}");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.receipt()).isNotNull();
    assertThat(GatewayHost.text(answer))
        .isEqualTo(
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"yes\"}}]}\n\n"
                + "data: {\"citations\":[{\"id\":null,\"url\":\"https://u\",\"title\":null,"
                + "\"publishedDate\":null,\"author\":null}]}\n\ndata: [DONE]\n\n");
    host.vendor().says("/answer", 500, "{\"error\":\"no\",\"tag\":\"DEFAULT_ERROR\"}");
    PaidAnswer failed = paid("answer", "{\"query\":\"q\",\"stream\":true}");
    assertThat(failed.status()).isEqualTo(502);
    assertThat(failed.receipt()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          search       | "query":"q"                                          | 0.012000
          search       | "query":"q","numResults":15                          | 0.012000
          search       | "query":"q","numResults":16                          | 0.013000
          search       | "query":"q","numResults":100,"contents":{"text":true,"highlights":true} | 0.097000
          find-similar | "url":"https://a.example/","numResults":100          | 0.097000
          contents     | "ids":[URLS:1]                                       | 0.004000
          contents     | "ids":[URLS:4]                                       | 0.004000
          contents     | "ids":[URLS:5]                                       | 0.005000
          contents     | "ids":[URLS:100]                                     | 0.100000
          highlights   | "query":"q","ids":[URLS:2]                           | 0.002000
          highlights   | "query":"q","ids":[URLS:100]                         | 0.100000
          """)
  void aCallCostsNoLessThanTheVendorBillsForIt(String method, String members, String price) {
    start(RATES);
    host.vendor().says("/search", 200, FOUND);
    host.vendor().says("/findSimilar", 200, FOUND);
    host.vendor()
        .says("/contents", 200, FOUND.replace("\"text\"", "\"highlights\":[\"h\"],\"text\""));
    PaidAnswer answer = paid(method, "{" + withUrls(members) + "}");
    assertThat(GatewayHost.text(answer)).contains("\"amount\":\"" + price + "\"");
    assertThat(answer.receipt()).isNotNull();
  }

  /** Members with {@code [URLS:n]} written out. */
  private static String withUrls(String members) {
    Matcher urls = Pattern.compile("URLS:(\\d+)").matcher(members);
    return urls.replaceAll(
        found ->
            IntStream.range(0, Integer.parseInt(found.group(1)))
                .mapToObj(page -> "\"https://a.example/" + page + "\"")
                .collect(Collectors.joining(",")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"query\":\"q\",\"numResults\":101}",
        "{\"query\":\"q\",\"numResults\":100,\"contents\":{\"summary\":true}}",
        "{\"query\":\"q\",\"numResults\":\"100\"}",
        "{\"query\":\"q\",\"numResults\":100,\"numResults\":1}",
        "{"
      })
  void whatIsNotSoldIsRefusedWhateverItsBillWouldBe(String body) {
    start(RATES);
    int asked = host.vendor().asked().size();
    PaidAnswer answer = paid("search", body);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.receipt()).isNull();
    assertThat(host.vendor().asked()).hasSize(asked);
  }

  /** A payment is bound to what was quoted: the cheap one does not buy the dear call. */
  @Test
  void thePaymentOfASmallSearchDoesNotBuyALargeOne() {
    start(RATES);
    host.vendor().says("/search", 200, FOUND);
    String cheap = host.payment(post("search", "{\"query\":\"q\"}"));
    HttpRequest dear =
        host.http()
            .request(WEB + "/search")
            .header("Content-Type", "application/json")
            .header("PAYMENT-SIGNATURE", cheap)
            .POST(BodyPublishers.ofString("{\"query\":\"q\",\"numResults\":100}"))
            .build();
    int asked = host.vendor().asked().size();
    assertThat(host.http().send(dear).statusCode()).isEqualTo(402);
    assertThat(host.vendor().asked()).hasSize(asked);
  }

  @Test
  void similarPagesAreFoundUnderTheNameThatTheVendorsClientsHaveForThem() {
    start(Map.of("gateway.websearch.find-similar", "true"));
    host.vendor().says("/findSimilar", 200, FOUND);
    PaidAnswer answer = paid("findSimilar", "{\"url\":\"https://a.example/\",\"numResults\":2}");
    assertThat(GatewayHost.text(answer)).contains("\"sourceUrl\":\"https://a.example/\"");
    assertThat(answer.receipt()).isNotNull();
    start(Map.of());
    assertThat(paid("findSimilar", "{\"url\":\"https://a.example/\"}").status()).isEqualTo(404);
  }

  @Test
  void withoutRatesEveryCallHasTheListedPrice() {
    start(Map.of());
    host.vendor().says("/contents", 200, FOUND);
    PaidAnswer answer = paid("contents", "{" + withUrls("\"ids\":[URLS:100]") + "}");
    assertThat(GatewayHost.text(answer)).contains("\"amount\":\"0.004000\"");
  }

  @Test
  void onlyCategoriesThatThereAreLieBeyondTheContract() {
    assertThatThrownBy(() -> new GatewayHost(Map.of("gateway.websearch.beyond-contract", "news")))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("news is no category beyond the vendor's contract");
  }

  @Test
  @Tag("spec:decision.records_upstream")
  void theVendorsBodyPassesWhereRecordsAreIts() {
    start(Map.of("gateway.upstream.websearch.records", "upstream"));
    host.vendor().says("/search", 200, FOUND);
    assertThat(GatewayHost.text(paid("search", "{\"query\":\"q\"}")))
        .startsWith(FOUND.substring(0, FOUND.length() - 1) + ",\"price\":");
  }

  @Test
  @Tag("spec:endpoint.websearch.find_similar")
  @Tag("spec:price.websearch.find_similar")
  @Tag("spec:request.websearch.find_similar.url")
  @Tag("spec:request.websearch.find_similar.numResults")
  @Tag("spec:record.similar_result.title")
  @Tag("spec:record.similar_result.url")
  @Tag("spec:record.similar_result.score")
  @Tag("spec:record.similar_result.envelope")
  void similarPagesAreSoldWhereTheyAreSwitchedOn() {
    start(Map.of("gateway.websearch.find-similar", "true"));
    host.vendor().says("/findSimilar", 200, FOUND);
    PaidAnswer answer = paid("find-similar", "{\"url\":\"https://b.example/\"}");
    assertThat(GatewayHost.text(answer))
        .isEqualTo(
            "{\"results\":[{\"title\":\"A\",\"url\":\"https://a.example/\",\"score\":"
                + "0.4600165784358978000}],\"sourceUrl\":\"https://b.example/\","
                + "\"price\":{\"amount\":\"0.012000\",\"currency\":\"USD\"}}");
    assertThat(lastBody()).isEqualTo("{\"url\":\"https://b.example/\",\"numResults\":10}");
    assertThat(paid("find-similar", "{}").status()).isEqualTo(400);
    assertThat(GatewayHost.text(paid("find-similar", "{\"url\":\"b.example\"}")))
        .contains("\"code\":\"invalid_url\"");
  }

  @ParameterizedTest
  @CsvSource({
    "400, INVALID_REQUEST_BODY, 400, invalid_params",
    "400, INVALID_URLS, 422, url_unreachable",
    "401, INVALID_API_KEY, 502, upstream_failed",
    "402, NO_MORE_CREDITS, 502, upstream_failed",
    "422, CRAWL_NOT_FOUND, 422, url_unreachable",
    "429, RATE_LIMIT_EXCEEDED, 503, upstream_unavailable",
    "500, DEFAULT_ERROR, 502, upstream_failed"
  })
  void whatTheVendorRefusesHasTheGroupsOwnWord(int said, String tag, int status, String code) {
    start(Map.of());
    String error = "{\"requestId\":\"r\",\"error\":\"No, see https://x.example\",\"tag\":\"";
    host.vendor().says("/contents", said, error + tag + "\"}");
    PaidAnswer answer = paid("contents", "{\"ids\":[\"https://a.example/\"]}");
    assertThat(answer.status()).isEqualTo(status);
    assertThat(GatewayHost.text(answer))
        .contains("{\"error\":{\"code\":\"" + code + "\"")
        .doesNotContain("x.example");
  }

  /** A page that was read, of which nothing is told. */
  @ParameterizedTest
  @ValueSource(
      strings = {"", ",\"highlights\":null", ",\"highlights\":[]", ",\"highlights\":[\" \"]"})
  void passagesOfWhichThereAreNoneAreNotSold(String told) {
    start(Map.of());
    host.vendor()
        .says(
            "/contents",
            200,
            "{\"results\":[{\"id\":\"u\",\"url\":\"u\",\"title\":\"t\"" + told + "}]}");
    PaidAnswer answer = paid("highlights", "{\"query\":\"q\",\"ids\":[\"https://a.example/\"]}");
    assertThat(answer.status()).as(GatewayHost.text(answer)).isEqualTo(502);
    assertThat(answer.receipt()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"search", "answer", "highlights"})
  @Tag("spec:decision.web_fetch.own")
  void whatNeedsAVendorIsNotOfferedWithoutOne(String method) {
    start(NO_VENDOR);
    HttpResponse<String> answer = host.http().send(post(method, "{\"query\":\"q\"}"));
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).startsWith("{\"error\":{\"code\":\"not_found\"");
    assertThat(answer.headers().firstValue("PAYMENT-REQUIRED")).isEmpty();
  }

  @Test
  @Tag("spec:decision.web_fetch.own")
  @Tag("spec:error.websearch.url_unreachable")
  @Tag("spec:limit.web_content")
  void withoutAVendorContentsAreFetchedFromThePublicWebOnly() {
    start(NO_VENDOR);
    String inside = host.vendor().base() + "/secret";
    PaidAnswer answer = paid("contents", "{\"ids\":[\"" + inside + "\"]}");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(GatewayHost.text(answer)).contains("\"code\":\"url_unreachable\"");
    assertThat(host.vendor().asked()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://127.0.0.1/", "http://localhost/", "http://[::1]/", "nonsense"})
  @Tag("spec:decision.web_fetch.own")
  void ownFetchesOfWhatIsNotPublicAreRefused(String url) {
    start(Map.of("gateway.web.fetch", "own"));
    PaidAnswer answer = host.paid(FETCH + url.replace("[", "%5B").replace("]", "%5D"));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(GatewayHost.text(answer)).contains("\"code\":\"invalid_params\"", "url ");
    assertThat(host.vendor().asked()).isEmpty();
  }

  @Test
  void fetchesAreTheVendorsByDefault() {
    start(Map.of());
    host.vendor().says("/web/fetch", 200, "{\"data\":{\"content\":\"c\"}}");
    assertThat(GatewayHost.text(host.paid(FETCH + "https://a.example/"))).contains("\"c\"");
    assertThat(host.vendor().asked()).anyMatch(target -> target.startsWith("/web/fetch?"));
  }
}
