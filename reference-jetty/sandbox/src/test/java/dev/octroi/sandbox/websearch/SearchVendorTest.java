package dev.octroi.sandbox.websearch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.vendor.Asking;
import dev.octroi.sandbox.vendor.SandboxAnswer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SearchVendorTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final SearchVendor VENDOR = new SearchVendor();

  private static SandboxAnswer ask(String path, String body) {
    return ask(VENDOR, path, body);
  }

  private static SandboxAnswer ask(SearchVendor vendor, String path, String body) {
    Map<String, String> headers = Map.of("x-api-key", "x", "content-type", "application/json");
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return Asking.ask(vendor, "POST", path, Map.of(), headers, bytes);
  }

  private static JsonNode answer(String path, String body) {
    SandboxAnswer answer = ask(path, body);
    assertThat(answer.status()).isEqualTo(200);
    return JSON.valueToTree(answer.json());
  }

  @Test
  void theCorpusHasDifferentPagesOfEveryCategory() {
    List<Page> pages = Corpus.load().pages();
    assertThat(pages).hasSizeGreaterThan(180);
    assertThat(pages.stream().map(Page::url)).doesNotHaveDuplicates();
    assertThat(pages.stream().map(Page::published)).doesNotContainNull();
    assertThat(pages.stream().map(Page::category).distinct()).hasSize(8);
  }

  @ParameterizedTest
  @CsvSource({
    "tomatoes ripening in the cold, valley-post.example",
    "rare words retrieval, papers.example",
    "Fresnel rings 1822, wiki.example",
    "brewing green tea, guides.example"
  })
  void theBestPageIsFoundFirst(String query, String host) {
    JsonNode answer = answer("/search", "{\"query\":\"" + query + "\"}");
    assertThat(answer.at("/results/0/url").asText()).contains(host);
    List<JsonNode> scores = answer.findValues("score");
    assertThat(scores).isSortedAccordingTo((a, b) -> Double.compare(b.asDouble(), a.asDouble()));
  }

  @ParameterizedTest
  @CsvSource({
    "bitcoin, wiki.example/Bitcoin",
    "What is the bitcoin price?, markets.example/bitcoin-price",
    "eth price now, markets.example/ethereum-price",
    "OpenAI, company.example/openai",
    "openai news, company.example/openai",
    "artificial intelligence, wiki.example/Artificial_intelligence",
    "What is an LLM?, wiki.example/Large_language_model",
    "weather in Paris, weather.example/paris",
    "weather paris tomorrow, weather.example/paris",
    "best laptop 2026, shop.example/best-laptop",
    "example.com, example.com/",
    "https://example.com, example.com/",
    "how do I make pancakes, recipes.example/pancakes",
    "travel to tokyo, travel.example/tokyo",
    "what helps against a headache?, health.example/headache",
    "python sort list, docs.example/python-list-sort",
    "how to center a div, docs.example/css-center",
    "who won the world cup, sports.example/world-cup",
    "contract law, law.example/contracts",
    "history, history.example/",
    "latest news, news.example/",
    "what is the capital of France?, facts.example/capitals",
    "x402 protocol, guides.example/x402"
  })
  void everydayQuestionsFindTheirPageFirst(String query, String page) {
    JsonNode answer = answer("/search", "{\"query\":\"" + query + "\"}");
    assertThat(answer.at("/results/0/url").asText()).startsWith("https://" + page);
  }

  @ParameterizedTest
  @CsvSource({
    "how do I make pancakes, https://recipes.example/pancakes",
    "who won the world cup, https://sports.example/world-cup",
    "best laptop 2026, https://shop.example/",
    "what helps against a headache?, https://health.example/",
    "what is the capital of France?, https://(facts|travel).example/",
    "weather paris tomorrow, https://(weather|travel).example/",
    "How do tidal power plants work?, .*(?i:tid(al|ewater)).*"
  })
  void pagesOnOtherSubjectsAreNotAmongThem(String query, String pages) {
    JsonNode answer = answer("/search", "{\"query\":\"" + query + "\",\"numResults\":100}");
    assertThat(answer.findValuesAsText("url"))
        .isNotEmpty()
        .allSatisfy(url -> assertThat(url).matches(pages + ".*"));
  }

  @Test
  void aPageSaysThatItIsOneOfTheSandboxs() {
    JsonNode answer = answer("/contents", "{\"urls\":[\"https://example.com/\"],\"text\":true}");
    assertThat(answer.at("/results/0/title").asText()).isEqualTo("Example Domain");
    assertThat(answer.at("/results/0/text").asText())
        .hasSizeBetween(250, 1500)
        .endsWith("(A page of the Octroi sandbox.)");
  }

  @Test
  void wordsOfNoPageFindNothing() {
    assertThat(answer("/search", "{\"query\":\"qqxzv wvvkq\"}").path("results")).isEmpty();
  }

  @Test
  void theSameQuestionHasTheSameAnswer() {
    String body = "{\"query\":\"tidal power\"}";
    assertThat(answer("/search", body)).isEqualTo(answer("/search", body));
    assertThat(ask(new SearchVendor(), "/search", body).json())
        .isEqualTo(ask("/search", body).json());
  }

  @Test
  void textsComeAlongWhereTheyAreWanted() {
    JsonNode answer =
        answer("/search", "{\"query\":\"tea\",\"contents\":{\"text\":{\"maxCharacters\":10}}}");
    assertThat(answer.at("/results/0/text").asText()).hasSize(10);
    assertThat(answer("/search", "{\"query\":\"tea\"}").at("/results/0").has("text")).isFalse();
  }

  @Test
  void domainsKeepOtherPagesOut() {
    String query = "{\"query\":\"tidal power river\",\"numResults\":100";
    JsonNode wiki = answer("/search", query + ",\"includeDomains\":[\"wiki.example\"]}");
    assertThat(wiki.findValuesAsText("url"))
        .isNotEmpty()
        .allMatch(url -> url.startsWith("https://wiki.example/"));
    JsonNode other = answer("/search", query + ",\"excludeDomains\":[\"wiki.example\"]}");
    assertThat(other.findValuesAsText("url"))
        .isNotEmpty()
        .noneMatch(url -> url.startsWith("https://wiki.example/"));
  }

  @Test
  void similarPagesAreOthersOnTheSameSubject() {
    String url = "https://harbour-times.example/2026/07/tidal-barge";
    JsonNode answer = answer("/findSimilar", "{\"url\":\"" + url + "\",\"numResults\":3}");
    assertThat(answer.path("results")).hasSize(3);
    assertThat(answer.findValuesAsText("url")).doesNotContain(url);
    assertThat(answer.at("/results/0/title").asText()).contains("Tidewater");
  }

  @Test
  void whatIsNotThereHasAStatusOfItsOwn() {
    JsonNode answer = answer("/contents", "{\"urls\":[\"https://x.example/\"],\"text\":true}");
    assertThat(answer.path("results")).isEmpty();
    assertThat(answer.at("/statuses/0/error/tag").asText()).isEqualTo("CRAWL_NOT_FOUND");
  }

  @Test
  void anAnswerIsMadeOfWhatItCites() {
    JsonNode answer = answer("/answer", "{\"query\":\"When may stablecoin holders redeem?\"}");
    assertThat(answer.path("answer").asText()).contains("within two days");
    assertThat(answer.at("/citations/0/title").asText()).contains("stablecoin");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/search | {}",
        "/search | []",
        "/search | {\"query\":\"a\",\"numResults\":101}",
        "/search | {\"query\":\"a\",\"category\":\"linkedin profile\"}",
        "/search | {\"query\":\"a\",\"startPublishedDate\":\"soon\"}",
        "/search | {\"query\":\"a\",\"colour\":\"red\"}",
        "/search | {\"query\":\"a\",\"category\":\"company\",\"startPublishedDate\":\"2026-01-01\"}",
        "/contents | {\"ids\":[\"https://a.example/\"],\"urls\":[\"https://b.example/\"]}",
        "/findSimilar | {\"url\":\"https://x.example/\"}"
      })
  void aBadRequestIsRefusedInTheVendorsShape(String path, String body) {
    SandboxAnswer refused = ask(path, body);
    assertThat(refused.status()).isEqualTo(400);
    JsonNode error = JSON.valueToTree(refused.json());
    assertThat(error.path("error").asText()).isNotBlank();
    assertThat(error.path("tag").asText()).isNotBlank();
    assertThat(error.path("requestId").asText()).hasSize(32);
  }

  @Test
  void anyOtherPathIsNotThere() {
    assertThat(ask("/research", "{}").status()).isEqualTo(404);
  }
}
