package dev.octroi.api;

import static dev.octroi.api.ModelHost.CHAT;
import static dev.octroi.api.ModelHost.MESSAGES;
import static dev.octroi.api.ModelHost.RESPONSES;
import static dev.octroi.api.ModelHost.json;
import static dev.octroi.api.ModelWords.FIRST;
import static dev.octroi.api.ModelWords.FOURTH;
import static dev.octroi.api.ModelWords.SECOND;
import static dev.octroi.api.ModelWords.begins;
import static dev.octroi.api.ModelWords.chunk;
import static dev.octroi.api.ModelWords.chunksEnd;
import static dev.octroi.api.ModelWords.completion;
import static dev.octroi.api.ModelWords.ends;
import static dev.octroi.api.ModelWords.message;
import static dev.octroi.api.ModelWords.prompt;
import static dev.octroi.api.ModelWords.response;
import static dev.octroi.api.ModelWords.says;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.account.Accounts.IssuedKey;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a model does not take as it was written: left out or replaced, and said in a header; done by
 * the gateway; or refused by name before a challenge.
 */
class AdaptedPromptsTest {

  private static final String ADAPTED = "X-Adapted";
  private static final String BUDGET = "\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":1500}";

  private static ModelHost host;

  @BeforeAll
  static void start() {
    host = new ModelHost(Map.of());
  }

  @AfterAll
  static void stop() {
    host.close();
  }

  @BeforeEach
  void forget() {
    host.vendor().forget();
    host.vendor().says(FIRST, 200, message(10, 20));
    host.vendor().says(SECOND, 200, completion(10, 20));
    host.vendor().says(FOURTH, 200, response("One. STOP Two.", 1_000, 2_000));
  }

  @Test
  void aBudgetBecomesAdaptiveAndSamplingIsLeftOutWithAHeaderThatSaysSo() {
    String body = prompt("adaptive-1.0", 2_000, BUDGET, "\"temperature\":0.2", "\"top_k\":5");
    HttpResponse<String> answer = host.byKey(host.key(), MESSAGES, body);

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.headers().firstValue(ADAPTED))
        .hasValue("thinking=adaptive, output_config.effort=low, temperature, top_k");
    JsonNode asked = json(host.vendor().asked().get(0).body());
    assertThat(asked.path("thinking"))
        .hasToString("{\"type\":\"adaptive\",\"display\":\"summarized\"}");
    assertThat(asked.path("output_config")).hasToString("{\"effort\":\"low\"}");
    assertThat(asked.has("temperature") || asked.has("top_k")).isFalse();
  }

  @Test
  void aStreamSaysItToo() {
    host.vendor().talks(FIRST).say(begins(10)).say(says("Hi")).say(ends(2)).end();
    String body = prompt("adaptive-1.0", 2_000, "\"stream\":true", "\"top_p\":0.5");
    HttpResponse<String> answer = host.byKey(host.key(), MESSAGES, body);

    assertThat(answer.headers().firstValue(ADAPTED)).hasValue("top_p");
  }

  @Test
  void whatAModelTakesAsItIsHasNoSuchHeader() {
    HttpResponse<String> answer =
        host.byKey(host.key(), MESSAGES, prompt("large-1.0", 2_000, BUDGET));

    assertThat(answer.headers().firstValue(ADAPTED)).isEmpty();
    assertThat(host.vendor().asked().get(0).body()).contains(BUDGET);
  }

  /** Also where the gateway translates, and where the route chose the model. */
  @ParameterizedTest
  @CsvSource({
    "/v1/chat/completions, adaptive-1.0, 'reasoning_effort=high, temperature', first",
    "/v1/chat/completions, items-1.0, temperature, fourth"
  })
  void aTranslatedPromptIsAdaptedAlike(String path, String model, String changes, String mount) {
    String members = "\"reasoning_effort\":\"xhigh\",\"temperature\":0.2";
    HttpResponse<String> answer = host.byKey(host.key(), path, prompt(model, 5_000, members));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.headers().firstValue(ADAPTED)).hasValue(changes);
    assertThat(host.vendor().asked().get(0).path()).startsWith("/" + mount + "/");
    assertThat(host.vendor().asked().get(0).body()).doesNotContain("temperature");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/v1/messages|adaptive-1.0|'tool_choice':{'type':'any'}|tool_choice",
        "/v1/messages|large-1.0|'thinking':{'type':'enabled','budget_tokens':900}|budget_tokens",
        "/v1/messages|large-1.0|'thinking':{'type':'enabled','budget_tokens':5000}|budget_tokens",
        "/v1/messages|large-1.0|'thinking':{'type':'enabled','budget_tokens':1024},'tools':[{'name':'t',"
            + "'input_schema':{}}],'tool_choice':{'type':'any'}|tool_choice",
        "/v1/chat/completions|compatible-1.0|'presence_penalty':0.5|presence_penalty",
        "/v1/chat/completions|compatible-1.0|'stop':'x','n':2|stop",
        "/v1/chat/completions|large-1.0|'frequency_penalty':1|frequency_penalty",
        "/v1/chat/completions|large-1.0|'logprobs':true|logprobs",
        "/v1/chat/completions|items-1.0|'logit_bias':{'1':1}|logit_bias",
      })
  void aCombinationThatTheModelRefusesIs400ByNameWithoutAChallenge(
      String path, String model, String members, String named) {
    HttpResponse<String> answer =
        host.unpaid(path, prompt(model, 3_000, members.replace('\'', '"')));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.headers().firstValue("PAYMENT-REQUIRED")).isEmpty();
    assertThat(json(answer.body()).at("/error/message").asText()).contains(named);
    assertThat(host.vendor().asked()).isEmpty();
  }

  @Test
  void aPictureForAModelThatTakesNoneIs400ByNameWithoutAChallenge() {
    String picture =
        "[{'type':'image_url','image_url':{'url':'data:image/png;base64,AAAA'}}]"
            .replace('\'', '"');
    String body =
        prompt("other-1.0", 300).replaceFirst("\"content\":\"[^\"]*\"", "\"content\":" + picture);
    HttpResponse<String> answer = host.unpaid(CHAT, body);

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.headers().firstValue("PAYMENT-REQUIRED")).isEmpty();
    assertThat(answer.body()).contains("messages", "picture", "other-1.0");
  }

  @Test
  void anAnswerThatIsTooShortForItsUpstreamIs400ByNameWithoutAChallenge() {
    HttpResponse<String> answer = host.unpaid(CHAT, prompt("items-1.0", 15));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.headers().firstValue("PAYMENT-REQUIRED")).isEmpty();
    assertThat(json(answer.body()).at("/error/message").asText())
        .contains("max_completion_tokens must be at least 16");
  }

  @ParameterizedTest
  @CsvSource({"compatible-1.0, max_tokens", "other-1.0, max_completion_tokens"})
  void theLimitHasTheNameThatTheUpstreamKnows(String model, String name) {
    for (String given : new String[] {"max_tokens", "max_completion_tokens"}) {
      host.vendor().forget();
      host.vendor().says(SECOND, 200, completion(10, 20));
      String body = prompt(model, 7).replace("max_tokens", given);
      host.byKey(host.key(), CHAT, body);

      JsonNode asked = json(host.vendor().asked().get(0).body());
      assertThat(asked.path(name).asInt()).isEqualTo(7);
      assertThat(asked.has("max_tokens") && asked.has("max_completion_tokens")).isFalse();
    }
  }

  /**
   * The protocol of this upstream has no stop sequences. The model wrote on, and is paid for it.
   */
  @Test
  void aStopSequenceThatTheModelDoesNotKnowEndsTheAnswerAndTheUsageIsCharged() {
    IssuedKey key = host.key();
    String body = prompt("items-1.0", 3_000, "\"stop\":[\"STOP\"]");
    HttpResponse<String> answer = host.byKey(key, CHAT, body);

    JsonNode told = json(answer.body());
    assertThat(told.at("/choices/0/message/content").asText()).isEqualTo("One. ");
    assertThat(told.at("/choices/0/finish_reason").asText()).isEqualTo("stop");
    assertThat(told.at("/usage/completion_tokens").asInt()).isEqualTo(2_000);
    assertThat(host.vendor().asked().get(0).body()).doesNotContain("STOP");
    assertThat(host.spent(key)).isEqualTo(2 * 1_000 + 10 * 2_000);
  }

  /** The sequence lies across two pieces of an upstream that speaks the caller's protocol. */
  @Test
  void aStreamEndsAtItTooAndTellsWhatTheModelHasUsed() {
    host.vendor()
        .talks(SECOND)
        .say(chunk("One. ST"))
        .say(chunk("OP Two."))
        .say(chunksEnd(1_000, 2_000))
        .end();
    IssuedKey key = host.key();
    String body =
        prompt(
            "compatible-1.0",
            3_000,
            "\"stop\":\"STOP\",\"stream\":true,\"stream_options\":{\"include_usage\":true}");
    HttpResponse<String> answer = host.byKey(key, CHAT, body);

    assertThat(answer.body())
        .contains("\"content\":\"One. \"", "\"completion_tokens\":2000", "data: [DONE]")
        .doesNotContain("STO", "Two");
    assertThat(host.vendor().asked().get(0).body()).doesNotContain("STOP");
    assertThat(host.spent(key)).isEqualTo(2 * 1_000 + 10 * 2_000);
  }

  /** The SDKs turn on unfinished features by a header. */
  @Test
  void aKnownBetaIsForwardedAndAnotherIsRefusedByNameWithoutAChallenge() {
    String known = "structured-outputs-2025-12-15, pdfs-2024-09-25";
    HttpRequest.Builder call =
        host.to(MESSAGES, prompt("large-1.0", 10)).header("anthropic-beta", known);
    HttpResponse<String> refused =
        host.http().send(call.copy().header("anthropic-beta", "context-1m-2025-08-07").build());
    HttpResponse<String> answer =
        host.http().send(call.header("x-api-key", host.key().secret()).build());

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(host.vendor().asked()).hasSize(1);
    assertThat(host.vendor().asked().get(0).headers().getFirst("anthropic-beta"))
        .isEqualTo("structured-outputs-2025-12-15,pdfs-2024-09-25");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.headers().firstValue("PAYMENT-REQUIRED")).isEmpty();
    assertThat(json(refused.body()).at("/error/message").asText())
        .contains("anthropic-beta", "context-1m-2025-08-07", "not sold here");
  }

  @Test
  void aBetaIsNothingToAnUpstreamOfAnotherProtocol() {
    host.byKey(host.key(), CHAT, prompt("large-1.0", 10));
    HttpResponse<String> answer =
        host.http()
            .send(
                host.to(MESSAGES, prompt("other-1.0", 10))
                    .header("anthropic-beta", "pdfs-2024-09-25")
                    .header("x-api-key", host.key().secret())
                    .build());

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(host.vendor().asked())
        .allMatch(asked -> !asked.headers().containsKey("anthropic-beta"));
  }

  @ParameterizedTest
  @CsvSource({"auto, gateway.language.bare-auto", "auto/cheap, the routes are"})
  void aRouteThatThereIsNotNamesThoseThatThereAre(String model, String words) {
    for (String path : new String[] {MESSAGES, CHAT}) {
      HttpResponse<String> answer = host.unpaid(path, prompt(model, 10));

      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(json(answer.body()).at("/error/message").asText())
          .contains(words, "auto/best", "auto/eco", "auto/premium", "auto/free", "auto/search");
    }
  }

  /** The cheapest of the tier runs at an upstream that is not configured. */
  @Test
  void aRouteChoosesAmongTheModelsThatAreThere() {
    HttpResponse<String> answer = host.byKey(host.key(), CHAT, prompt("auto/eco", 100));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.headers().firstValue("X-Model")).hasValue("house/other-1.0");
  }

  @Test
  void aModelWhoseUpstreamIsNotConfiguredIs400WithoutAChallenge() {
    HttpResponse<String> answer =
        host.unpaid(
            RESPONSES, "{\"model\":\"elsewhere-1.0\",\"max_output_tokens\":10,\"input\":\"Hi\"}");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(json(answer.body()).at("/error/message").asText()).contains("not served here");
  }
}
