package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Web search: prices, records, bodies and errors, over what the sandbox knows. */
abstract class WebSearchBehaviour extends Behaviour {

  private static final String WEB = "/v1/marketplace/websearch";
  private static final String TIDES = "https://wiki.example/Tidal_power";
  private static final String NOWHERE = "https://nowhere.example/";

  private static Call search(String members) {
    return Call.post(WEB + "/search", "{\"query\":\"tidal power\"" + members + "}");
  }

  private static Call contents(String... urls) {
    return Call.post(WEB + "/contents", "{\"ids\":[\"" + String.join("\",\"", urls) + "\"]}");
  }

  private static List<String> members(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @ParameterizedTest
  @CsvSource({"search, 12000", "contents, 4000", "answer, 12000", "highlights, 2000"})
  @Tag("spec:price.websearch.search")
  @Tag("spec:price.websearch.contents")
  @Tag("spec:price.websearch.answer")
  @Tag("spec:price.websearch.highlights")
  void anUnpaidCallIsToldThePriceWhateverItsBody(String method, String units) {
    Reply challenge = deployment().challenge(Call.post(WEB + "/" + method, "{}"));
    assertThat(challenge.json().at("/accepts/0/amount").asText()).isEqualTo(units);
  }

  @Test
  @Tag("spec:endpoint.websearch.search")
  @Tag("spec:request.websearch.search.query")
  @Tag("spec:record.search_result.title")
  @Tag("spec:record.search_result.url")
  @Tag("spec:record.search_result.score")
  @Tag("spec:record.search_result.publishedDate")
  @Tag("spec:record.search_result.author")
  @Tag("spec:record.search_result.envelope")
  void aSearchAnswersWithTheStatedRecord() {
    JsonNode answer = deployment().buy(search("")).json();
    assertThat(members(answer)).containsExactly("results", "query", "price");
    assertThat(answer.at("/query").asText()).isEqualTo("tidal power");
    assertThat(answer.at("/price/amount").asText()).isEqualTo("0.012000");
    JsonNode best = answer.at("/results/0");
    assertThat(members(best)).containsExactly("title", "url", "score", "publishedDate", "author");
    assertThat(best.path("url").asText()).isEqualTo(TIDES);
    assertThat(best.path("score").isNumber()).isTrue();
  }

  @Test
  @Tag("spec:request.websearch.search.numResults")
  void aSearchFindsAsManyAsAreWantedAndTenByItself() {
    Call all = Call.post(WEB + "/search", "{\"query\":\"news\"}");
    Call two = Call.post(WEB + "/search", "{\"query\":\"news\",\"numResults\":2}");
    assertThat(deployment().buy(all).json().path("results")).hasSize(10);
    assertThat(deployment().buy(two).json().path("results")).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "company, tidewater-energy.example",
    "research paper, papers.example",
    "news, example/202",
    "pdf, agency.example",
    "github, code.example",
    "linkedin profile, profiles.example",
    "financial report, filings.example"
  })
  @Tag("spec:request.websearch.search.category")
  void aCategoryKeepsOtherPagesOut(String category, String host) {
    String query = "{\"query\":\"tidal tides revenue river\",\"category\":\"";
    Call call = Call.post(WEB + "/search", query + category + "\"}");
    assertThat(deployment().buy(call).json().at("/results/0/url").asText()).contains(host);
  }

  @Test
  @Tag("spec:request.websearch.search.startPublishedDate")
  @Tag("spec:request.websearch.search.endPublishedDate")
  void aPeriodKeepsOtherPagesOut() {
    Call call =
        search(",\"startPublishedDate\":\"2026-02-01\",\"endPublishedDate\":\"2026-03-01T00:00Z\"");
    List<String> dates =
        deployment().buy(call).json().path("results").findValuesAsText("publishedDate");
    assertThat(dates).isNotEmpty().allMatch(date -> date.startsWith("2026-02"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"numResults\":0",
        "\"numResults\":101",
        "\"numResults\":\"5\"",
        "\"numResults\":1.5",
        "\"category\":\"tweets\"",
        "\"startPublishedDate\":\"yesterday\"",
        "\"endPublishedDate\":\"2026-13-01\""
      })
  @Tag("spec:request.websearch.search.numResults")
  @Tag("spec:request.websearch.search.category")
  void aBadMemberIsNamedAndCostsNothing(String member) {
    String payment = deployment().payment(search(""));
    Reply refused = deployment().send(search("," + member), payment);
    assertRefused(refused, 400, "invalid_params");
    assertThat(refused.message()).contains(member.split("\"")[1]);
    assertStillGood(payment, search(""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{}", "[]", "{\"query\":1}", "{\"query\":\" \"}", "{\"query\":null}", "{\"query"})
  @Tag("spec:request.websearch.search.query")
  @Tag("spec:request.websearch.answer.query")
  void aBodyWithoutAQueryIsInvalid(String body) {
    assertRefused(deployment().pay(Call.post(WEB + "/search", body)), 400, "invalid_params");
    assertRefused(deployment().pay(Call.post(WEB + "/answer", body)), 400, "invalid_params");
  }

  @ParameterizedTest
  @ValueSource(strings = {"search", "answer"})
  @Tag("spec:error.websearch.query_too_long")
  @Tag("spec:limit.query_length")
  void aQueryHasAtMostTenThousandCharacters(String method) {
    String rare = "\uD83C\uDF0A";
    Call longest =
        Call.post(WEB + "/" + method, "{\"query\":\"tides " + rare.repeat(9_994) + "\"}");
    Call longer = Call.post(WEB + "/" + method, "{\"query\":\"tides " + rare.repeat(9_995) + "\"}");
    String payment = deployment().payment(longest);
    assertRefused(deployment().send(longer, payment), 400, "query_too_long");
    assertStillGood(payment, longest);
  }

  @Test
  @Tag("spec:endpoint.websearch.contents")
  @Tag("spec:request.websearch.contents.ids")
  @Tag("spec:record.contents_result.id")
  @Tag("spec:record.contents_result.url")
  @Tag("spec:record.contents_result.title")
  @Tag("spec:record.contents_result.text")
  @Tag("spec:record.contents_result.publishedDate")
  @Tag("spec:record.contents_result.envelope")
  void contentsAreThoseOfThePagesThatAreThere() {
    JsonNode answer = deployment().buy(contents(TIDES, NOWHERE)).json();
    assertThat(members(answer)).containsExactly("results", "price");
    assertThat(answer.path("results")).hasSize(1);
    JsonNode page = answer.at("/results/0");
    assertThat(members(page)).containsExactly("id", "url", "title", "text", "publishedDate");
    assertThat(page.path("id").asText()).isEqualTo(TIDES);
    assertThat(page.path("text").asText()).contains("Tides can be predicted for centuries");
  }

  @Test
  @Tag("spec:error.websearch.url_unreachable")
  void contentsOfNothingCostNothing() {
    String payment = deployment().payment(contents(NOWHERE));
    assertRefused(deployment().send(contents(NOWHERE), payment), 422, "url_unreachable");
    assertStillGood(payment, contents(TIDES));
  }

  @Test
  @Tag("spec:request.websearch.contents.urls")
  void theMemberUrlsIsIgnored() {
    Call only = Call.post(WEB + "/contents", "{\"urls\":[\"" + TIDES + "\"]}");
    assertRefused(deployment().pay(only), 400, "invalid_params");
    String both = "{\"urls\":[\"no url\"],\"ids\":[\"" + TIDES + "\"]}";
    assertThat(deployment().buy(Call.post(WEB + "/contents", both)).json().path("results"))
        .hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"nonsense", "ftp://wiki.example/", "https://", "http://u:p@wiki.example/"})
  @Tag("spec:error.websearch.invalid_url")
  void aMalformedAddressIsInvalid(String url) {
    String payment = deployment().payment(contents(TIDES));
    assertRefused(deployment().send(contents(TIDES, url), payment), 400, "invalid_url");
    assertStillGood(payment, contents(TIDES));
  }

  @ParameterizedTest
  @ValueSource(strings = {"contents", "highlights"})
  @Tag("spec:request.websearch.contents.ids")
  @Tag("spec:request.websearch.highlights.ids")
  void atMostAHundredPagesAreTaken(String method) {
    String query = method.equals("highlights") ? "\"query\":\"q\"," : "";
    String ids = "[\"" + TIDES + "\"" + (",\"" + NOWHERE + "\"").repeat(99);
    Call hundred = Call.post(WEB + "/" + method, "{" + query + "\"ids\":" + ids + "]}");
    Call more =
        Call.post(WEB + "/" + method, "{" + query + "\"ids\":" + ids + ",\"" + TIDES + "\"]}");
    String payment = deployment().payment(hundred);
    assertRefused(deployment().send(more, payment), 400, "invalid_params");
    assertStillGood(payment, hundred);
  }

  @Test
  @Tag("spec:endpoint.websearch.answer")
  @Tag("spec:record.answer.answer")
  @Tag("spec:record.answer.sources.title")
  @Tag("spec:record.answer.sources.url")
  void anAnswerNamesSourcesThatSayIt() {
    String question = "{\"query\":\"How many hours before a flood do rivers hum?\"}";
    JsonNode answer = deployment().buy(Call.post(WEB + "/answer", question)).json();
    assertThat(members(answer)).containsExactly("answer", "sources", "price");
    assertThat(answer.path("answer").asText()).contains("nine hours");
    JsonNode source = answer.at("/sources/0");
    assertThat(members(source)).containsExactly("title", "url");
    JsonNode page = deployment().buy(contents(source.path("url").asText())).json();
    String text = page.at("/results/0/text").asText();
    assertThat(List.of(text.split("(?<=[.]) ")))
        .anyMatch(sentence -> answer.path("answer").asText().contains(sentence));
  }

  @Test
  @Tag("spec:endpoint.websearch.highlights")
  @Tag("spec:request.websearch.highlights.query")
  @Tag("spec:request.websearch.highlights.numSentences")
  @Tag("spec:request.websearch.highlights.highlightsPerUrl")
  @Tag("spec:record.highlights.id")
  @Tag("spec:record.highlights.url")
  @Tag("spec:record.highlights.title")
  @Tag("spec:record.highlights.highlights")
  @Tag("spec:record.highlights.highlightScores")
  @Tag("spec:record.highlights.envelope")
  void highlightsAreThePassagesThatAnswer() {
    String body =
        "{\"query\":\"costs of repairs\",\"ids\":[\""
            + TIDES
            + "\"],\"numSentences\":1,\"highlightsPerUrl\":2}";
    JsonNode answer = deployment().buy(Call.post(WEB + "/highlights", body)).json();
    JsonNode page = answer.at("/results/0");
    assertThat(members(page))
        .containsExactly("id", "url", "title", "highlights", "highlightScores");
    assertThat(page.path("highlights")).hasSize(2);
    assertThat(page.path("highlightScores")).hasSize(2);
    assertThat(page.at("/highlights/0").asText()).contains("repairs under water");
  }

  @Test
  @Tag("spec:error.websearch.find_similar")
  @Tag("spec:endpoint.websearch.find_similar")
  void similarPagesAreNotThereAndAskForNoPayment() {
    Call call = Call.post(WEB + "/find-similar", "{\"url\":\"" + TIDES + "\"}");
    assertRefused(deployment().send(call), 404, "not_found");
    String payment = deployment().payment(search(""));
    assertRefused(deployment().send(call, payment), 404, "not_found");
    assertStillGood(payment, search(""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"octroi-fail-500", "octroi-malformed", "octroi-empty", "octroi-cut"})
  void aVendorThatFailsCostsNothing(String magic) {
    Call call = Call.post(WEB + "/search", "{\"query\":\"" + magic + "\"}");
    String payment = deployment().payment(call);
    assertRefused(deployment().send(call, payment), 502, "upstream_failed");
    assertStillGood(payment, search(""));
  }

  @Test
  @Tag("spec:decision.prefix_api")
  void theGroupHasItsPrefixToo() {
    Call call = search("").target("/api" + WEB + "/search");
    assertThat(deployment().buy(call).json().path("results")).isNotEmpty();
  }
}
