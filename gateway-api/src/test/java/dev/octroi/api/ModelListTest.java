package dev.octroi.api;

import static dev.octroi.api.ModelHost.MESSAGES;
import static dev.octroi.api.ModelHost.RESPONSES;
import static dev.octroi.api.ModelHost.json;
import static dev.octroi.api.ModelWords.prompt;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.x402.PaymentRequired;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What may be named as a model, in the form of each SDK; and how long a prompt is, for nothing. */
class ModelListTest {

  private static final String COUNT_TOKENS = MESSAGES + "/count_tokens";
  private static final String INPUT_TOKENS = RESPONSES + "/input_tokens";

  private static ModelHost host;

  @BeforeAll
  static void start() {
    host =
        new ModelHost(
            Map.of(
                "gateway.images.upstreams.provider-a", "http://127.0.0.1:1",
                "gateway.music.base-address", "http://127.0.0.1:1",
                "gateway.limits.unpaid-per-minute", "200",
                "gateway.limits.json-body", "64KiB"));
  }

  @AfterAll
  static void stop() {
    host.close();
  }

  @Test
  void routesAndPicturesAndMusicAreListedBesideTheLanguageModels() {
    JsonNode data = json(host.http().get("/v1/models").body()).path("data");

    assertThat(data)
        .extracting(entry -> entry.path("kind").asText() + " " + entry.path("id").asText())
        .contains(
            "language large-1.0",
            "route auto/best",
            "route auto/eco",
            "route auto/search",
            "route auto/image",
            "route auto/music",
            "image provider-a/image-2",
            "music provider-e/music-2.5")
        .doesNotContain("image provider-d/image", "language elsewhere-1.0");
    assertThat(data)
        .filteredOn(entry -> entry.path("id").asText().equals("provider-e/music-2.5"))
        .singleElement()
        .satisfies(
            track -> {
              assertThat(track.at("/pricing/unit").asText()).isEqualTo("track");
              assertThat(track.at("/pricing/price").asText()).isEqualTo("0.157500");
            });
  }

  @Test
  void whoNamesTheVersionOfTheMessagesProtocolReadsItsForm() {
    JsonNode page = json(list("?limit=1000").body());
    JsonNode first = page.path("data").path(0);

    assertThat(first.path("type").asText()).isEqualTo("model");
    assertThat(first.path("id").asText()).isEqualTo("large-1.0");
    assertThat(first.path("display_name").asText()).isEqualTo("large-1.0");
    assertThat(first.path("created_at").asText()).isEqualTo("2026-01-02T00:00:00Z");
    assertThat(first.path("lifecycle").asText()).isEqualTo("active");
    assertThat(first.path("max_input_tokens").asInt()).isEqualTo(200_000);
    assertThat(page.path("has_more")).hasToString("false");
    assertThat(page.path("first_id").asText()).isEqualTo("large-1.0");
    assertThat(page.path("last_id").asText()).isEqualTo("provider-e/music-2.5");
  }

  @Test
  void itsPagesHoldEverythingOnceForwardsAndBackwards() {
    List<String> all = ids(json(list("?limit=1000").body()));
    List<String> forwards = new ArrayList<>();
    JsonNode page;
    String after = "";
    do {
      page = json(list("?limit=3" + after).body());
      forwards.addAll(ids(page));
      after = "&after_id=" + page.path("last_id").asText();
    } while (page.path("has_more").asBoolean());
    JsonNode before = json(list("?limit=2&before_id=" + all.get(4)).body());

    assertThat(forwards).isEqualTo(all);
    assertThat(ids(before)).isEqualTo(all.subList(2, 4));
    assertThat(before.path("has_more").asBoolean()).isTrue();
    assertThat(ids(json(list("").body()))).hasSize(Math.min(20, all.size()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "?limit=0",
        "?limit=1001",
        "?limit=x",
        "?after_id=nothing",
        "?before_id=nothing",
        "?after_id=large-1.0&before_id=other-1.0"
      })
  void aPageThatThereIsNotIs400InTheFormOfTheProtocol(String query) {
    HttpResponse<String> answer = list(query);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(json(answer.body()).path("type").asText()).isEqualTo("error");
    assertThat(json(answer.body()).at("/error/type").asText()).isEqualTo("invalid_request_error");
  }

  @ParameterizedTest
  @CsvSource({
    "large-1.0",
    "house/large-1-0",
    "auto/eco",
    "provider-a/image-2",
    "openai/gpt-image-2"
  })
  void oneIsFoundByAnyOfItsNames(String name) {
    JsonNode open = json(host.http().get("/v1/models/" + name).body());
    JsonNode messages = json(versioned("/v1/models/" + name).body());

    assertThat(open.path("object").asText()).isEqualTo("model");
    assertThat(messages.path("type").asText()).isEqualTo("model");
    assertThat(messages.path("id")).isEqualTo(open.path("id"));
  }

  @Test
  void oneThatThereIsNotIs404InTheFormThatWasAskedFor() {
    HttpResponse<String> open = host.http().get("/v1/models/nothing");
    HttpResponse<String> messages = versioned("/v1/models/nothing");

    assertThat(open.statusCode()).isEqualTo(404);
    assertThat(json(open.body()).at("/error/code").asText()).isEqualTo("model_not_found");
    assertThat(messages.statusCode()).isEqualTo(404);
    assertThat(json(messages.body()).at("/error/type").asText()).isEqualTo("not_found_error");
  }

  /** What is counted is what is quoted: three dollars for a million. */
  @Test
  void aPromptIsCountedForNothingAsACallOfItIsQuoted() {
    String body = prompt("large-1.0", 1_000).replace("Hello", "x".repeat(9_000));
    HttpResponse<String> counted =
        host.unpaid(COUNT_TOKENS, body.replace("\"max_tokens\":1000,", ""));
    String challenge =
        host.unpaid(MESSAGES, body).headers().firstValue("PAYMENT-REQUIRED").orElseThrow();
    long quoted = Long.parseLong(PaymentRequired.read(challenge).accepts().get(0).amount());

    assertThat(counted.statusCode()).as(counted.body()).isEqualTo(200);
    long tokens = json(counted.body()).path("input_tokens").asLong();
    assertThat(tokens).isGreaterThanOrEqualTo(9_000);
    assertThat(quoted).isEqualTo(3 * tokens + 15_000);
    assertThat(json(counted.body())).hasSize(1);
  }

  @Test
  void aPromptOfResponsesIsCountedUnderItsProtocolsName() {
    HttpResponse<String> counted =
        host.unpaid(INPUT_TOKENS, "{\"model\":\"items-1.0\",\"input\":\"Hello\"}");

    assertThat(counted.statusCode()).as(counted.body()).isEqualTo(200);
    assertThat(json(counted.body()).path("object").asText()).isEqualTo("response.input_tokens");
    assertThat(json(counted.body()).path("input_tokens").asInt()).isBetween(5, 100);
    assertThat(host.vendor().asked()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/v1/messages/count_tokens | {'model':'no-such','messages':[{'role':'user','content':'a'}]} | no-such",
        "/v1/messages/count_tokens | {'model':'auto','messages':[{'role':'user','content':'a'}]} | auto/best",
        "/v1/messages/count_tokens | {'model':'large-1.0','messages':[]} | messages",
        "/v1/responses/input_tokens | {'input':'a'} | model",
        "/v1/responses/input_tokens | {'model':'items-1.0','input':'a','previous_response_id':'r'} | stateless"
      })
  void whatCannotBeCountedIs400InTheFormOfItsProtocol(String path, String body, String words) {
    HttpResponse<String> answer = host.unpaid(path, body.replace('\'', '"'));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(json(answer.body()).at("/error/message").asText()).contains(words);
    assertThat(json(answer.body()).has("type")).isEqualTo(path.equals(COUNT_TOKENS));
  }

  @ParameterizedTest
  @ValueSource(strings = {COUNT_TOKENS, INPUT_TOKENS})
  void aBodyThatIsLongerThanOthersMayBeIsNotCounted(String path) {
    assertThat(host.unpaid(path, "x".repeat(70_000)).statusCode()).isEqualTo(413);
  }

  @Test
  void countingIsLimitedLikeUnpaidCalls() {
    try (ModelHost busy = new ModelHost(Map.of("gateway.limits.unpaid-per-minute", "3"))) {
      List<Integer> statuses =
          IntStream.range(0, 5)
              .map(call -> busy.unpaid(COUNT_TOKENS, prompt("large-1.0", 1)).statusCode())
              .boxed()
              .toList();

      assertThat(statuses).containsExactly(200, 200, 200, 429, 429);
    }
  }

  private static HttpResponse<String> list(String query) {
    return versioned("/v1/models" + query);
  }

  private static HttpResponse<String> versioned(String target) {
    HttpRequest.Builder request =
        host.http().request(target).header("anthropic-version", "2023-06-01");
    return host.http().send(request.method("GET", BodyPublishers.noBody()).build());
  }

  private static List<String> ids(JsonNode page) {
    return page.path("data").findValuesAsText("id");
  }
}
