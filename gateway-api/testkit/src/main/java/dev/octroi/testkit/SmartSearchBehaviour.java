package dev.octroi.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Smart search, over what the sandbox's search knows and as its model writes. */
abstract class SmartSearchBehaviour extends Behaviour {

  private static final String SEARCH = "/v1/search";
  private static final String CHAT = "/v1/chat/completions";
  private static final Call TIDES = Call.post(SEARCH, "{\"query\":\"tidal power\"}");
  private static final String SMART = "smart";
  private static final Pattern MARK = Pattern.compile("\\[(\\d+)\\]");

  private static Call chat(String words, String members) {
    String turn = "{\"role\":\"user\",\"content\":\"" + words + "\"}";
    return Call.post(
        CHAT, "{\"model\":\"auto/search\",\"messages\":[" + turn + "]" + members + "}");
  }

  private static List<Integer> marks(String text) {
    List<Integer> numbers = new ArrayList<>();
    Matcher mark = MARK.matcher(text);
    while (mark.find()) {
      numbers.add(Integer.parseInt(mark.group(1)));
    }
    return numbers;
  }

  @ParameterizedTest
  @ValueSource(strings = {SMART, "chat"})
  @Tag("spec:price.smartsearch")
  void anUnpaidSearchIsToldItsPrice(String way) {
    Call call = way.equals(SMART) ? Call.post(SEARCH, "{}") : chat("tidal power", "");
    assertThat(deployment().challenge(call).json().at("/accepts/0/amount").asText())
        .isEqualTo("15000");
  }

  @Test
  @Tag("spec:endpoint.smartsearch.search")
  @Tag("spec:request.smartsearch.query")
  @Tag("spec:record.smart_search.query")
  @Tag("spec:record.smart_search.summary")
  @Tag("spec:record.smart_search.citations")
  @Tag("spec:record.smart_search.sources_used")
  void aSummaryCitesThePagesThatSayIt() {
    JsonNode answer = deployment().buy(TIDES).json();
    assertThat(answer.fieldNames())
        .toIterable()
        .containsExactly("query", "summary", "citations", "sources_used", "price");
    assertThat(answer.path("query").asText()).isEqualTo("tidal power");
    assertThat(answer.at("/price/amount").asText()).isEqualTo("0.015000");
    assertThat(answer.path("sources_used").asInt()).isEqualTo(answer.path("citations").size());
    List<Integer> marks = marks(answer.path("summary").asText());
    assertThat(marks).isNotEmpty().allMatch(n -> n >= 1 && n <= answer.path("citations").size());
    JsonNode source = answer.at("/citations/" + (marks.get(0) - 1));
    assertThat(source.fieldNames()).toIterable().containsExactly("title", "url");
    assertThat(answer.path("summary").asText()).startsWith(source.path("title").asText());
  }

  @Test
  @Tag("spec:request.smartsearch.max_results")
  void asManyPagesAreReadAsAreWanted() {
    JsonNode answer =
        deployment().buy(TIDES.body("{\"query\":\"river water\",\"max_results\":2}")).json();
    assertThat(answer.path("sources_used").asInt()).isEqualTo(2);
  }

  @Test
  @Tag("spec:request.smartsearch.messages")
  void theLastUserTurnOfATalkIsTheQuery() {
    String talk =
        "{\"model\":\"auto/search\",\"max_results\":1,\"messages\":["
            + "{\"role\":\"user\",\"content\":\"hello\"},"
            + "{\"role\":\"assistant\",\"content\":\"Yes?\"},"
            + "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"tidal power\"}]}]}";
    JsonNode answer = deployment().buy(TIDES.body(talk)).json();
    assertThat(answer.path("query").asText()).isEqualTo("tidal power");
    assertThat(answer.path("sources_used").asInt()).isEqualTo(1);
  }

  @Test
  @Tag("spec:record.smart_search.summary")
  void whatIsNoSourceIsNotCited() {
    String words = "tidal power echo: Tides rise [2] and fall [77].";
    JsonNode answer = deployment().buy(TIDES.body("{\"query\":\"" + words + "\"}")).json();
    assertThat(answer.path("summary").asText()).isEqualTo("Tides rise [1] and fall.");
    assertThat(answer.path("sources_used").asInt()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|invalid_params",
        "[]|invalid_params",
        "{\"query\":\" \"}|invalid_params",
        "{\"query\":7}|invalid_params",
        "{\"query\":\"q\",\"max_results\":0}|invalid_params",
        "{\"query\":\"q\",\"max_results\":11}|invalid_params",
        "{\"query\":\"q\",\"max_results\":\"2\"}|invalid_params",
        "{\"messages\":[]}|invalid_params",
        "{\"model\":\"gpt-5.4\",\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]}|model_not_found"
      })
  @Tag("spec:request.smartsearch.query")
  @Tag("spec:request.smartsearch.max_results")
  void aBadBodyCostsNothing(String body, String code) {
    String payment = deployment().payment(TIDES);
    assertRefused(deployment().send(TIDES.body(body), payment), 400, code);
    assertStillGood(payment, TIDES);
  }

  @Test
  @Tag("spec:limit.query_length")
  void aQueryHasAtMostTenThousandCharacters() {
    Reply refused = deployment().pay(TIDES.body("{\"query\":\"" + "q".repeat(10_001) + "\"}"));
    assertRefused(refused, 400, "query_too_long");
  }

  @ParameterizedTest
  @CsvSource({
    "octroi-fail-500, 502, upstream_failed",
    "fail with server error, 502, upstream_failed",
    "fail with rate limit, 503, upstream_unavailable",
    "fail with context length, 502, upstream_failed"
  })
  @Tag("spec:endpoint.smartsearch.search")
  void aSearchOrAModelThatFailsCostsNothing(String words, int status, String code) {
    String payment = deployment().payment(TIDES);
    Call failing = TIDES.body("{\"query\":\"tidal power " + words + "\"}");
    assertRefused(deployment().send(failing, payment), status, code);
    assertStillGood(payment, TIDES);
  }

  @ParameterizedTest
  @ValueSource(strings = {SMART, "chat", "stream"})
  @Tag("spec:endpoint.smartsearch.search")
  @Tag("spec:decision.smartsearch.chat")
  void aSearchThatFindsNoPageCostsNothing(String way) {
    String words = "qqxzv wvvkq";
    Call call =
        way.equals(SMART)
            ? TIDES.body("{\"query\":\"" + words + "\"}")
            : chat(words, way.equals("stream") ? ",\"stream\":true" : "");
    Reply refused = deployment().pay(call);
    assertThat(refused.status()).as(refused.toString()).isEqualTo(404);
    assertThat(refused.code()).isEqualTo("not_found");
    assertUncharged(refused);
  }

  @Test
  @Tag("spec:decision.smartsearch.chat")
  void theModelAutoSearchIsAChatCompletionWithAnnotations() {
    Reply reply = deployment().buy(chat("tidal power", ",\"max_results\":2"));
    JsonNode answer = reply.json();
    assertThat(answer.path("object").asText()).isEqualTo("chat.completion");
    assertThat(answer.at("/choices/0/finish_reason").asText()).isEqualTo("stop");
    assertThat(reply.header("X-Model")).endsWith("/" + answer.path("model").asText());
    JsonNode message = answer.at("/choices/0/message");
    assertCited(message.path("content").asText(), message.path("annotations"));
    assertThat(reply.header("X-Price-Amount")).isEqualTo("0.015000");
  }

  private static void assertCited(String content, JsonNode annotations) {
    assertThat(annotations).hasSize(2);
    int number = 1;
    for (JsonNode annotation : annotations) {
      assertThat(annotation.path("type").asText()).isEqualTo("url_citation");
      JsonNode citation = annotation.path("url_citation");
      assertThat(citation.path("url").asText()).startsWith("https://");
      int start = citation.path("start_index").asInt();
      assertThat(content.substring(start, citation.path("end_index").asInt()))
          .isEqualTo("[" + number++ + "]");
    }
  }

  @Test
  @Tag("spec:decision.smartsearch.chat")
  void aStreamOfAutoSearchSaysTheSame() {
    JsonNode whole =
        deployment().buy(chat("tidal power", ",\"max_results\":2")).json().at("/choices/0/message");
    Reply streamed = deployment().buy(chat("tidal power", ",\"max_results\":2,\"stream\":true"));
    assertThat(streamed.header("Content-Type")).startsWith("text/event-stream");
    StringBuilder content = new StringBuilder();
    List<JsonNode> annotations = new ArrayList<>();
    for (String line : streamed.text().split("\n")) {
      if (line.startsWith("data: {")) {
        JsonNode delta = Json.read(line.substring(6).getBytes(UTF_8)).at("/choices/0/delta");
        content.append(delta.path("content").asText());
        delta.path("annotations").forEach(annotations::add);
      }
    }
    assertThat(streamed.text()).endsWith("data: [DONE]\n\n");
    assertThat(content.toString()).isEqualTo(whole.path("content").asText());
    assertThat(annotations).containsExactlyElementsOf(whole.path("annotations"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/v1/messages|\"max_tokens\":900,\"messages\"|/content/0/text|/content/0/citations/0/url",
        "/v1/responses|\"input\"|/output/0/content/0/text|/output/0/content/0/annotations/0/url"
      })
  @Tag("spec:decision.smartsearch.chat")
  void theOtherProtocolsHaveTheModelToo(String path, String member, String text, String url) {
    String talk = member + ":[{\"role\":\"user\",\"content\":\"tidal power\"}]";
    Call call =
        Call.post(path, "{\"model\":\"auto/search\"," + talk + "}")
            .with("anthropic-version", "2023-06-01");
    Reply reply = deployment().buy(call);
    assertThat(reply.header("X-Price-Amount")).isEqualTo("0.015000");
    assertThat(marks(reply.json().at(text).asText())).startsWith(1);
    String cited = reply.json().at(url).asText();
    assertThat(cited).as(reply.toString()).startsWith("https://");
    Reply streamed =
        deployment().buy(call.body("{\"model\":\"auto/search\",\"stream\":true," + talk + "}"));
    assertThat(streamed.text()).contains(cited).doesNotContain("event: error");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ",\"max_results\":0",
        ",\"max_results\":\"2\"",
        ",\"n\":2",
        ",\"response_format\":{\"type\":\"json_object\"}",
        ",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]"
      })
  @Tag("spec:decision.smartsearch.chat")
  void whatASummaryCannotDoIsRefusedAndFree(String members) {
    Reply refused = deployment().pay(chat("tidal power", members));
    assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("invalid_params");
    assertUncharged(refused);
  }
}
