package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The model vendors' SDKs for JavaScript, unmodified, at the built jar: by base address alone, with
 * an API key and with the published x402 client as their fetch. Each SDK runs all its scenarios in
 * one process; the tests judge what it told.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
@Tag("spec:language.sdk.javascript")
class NodeSdksIT {

  private static final List<String> SDKS = List.of("messages", "openai");
  private static final String KEY = "key";
  private static final String X402 = "x402";

  private static final Path MEMBERS =
      Path.of("..", "gateway-api", "src", "test", "resources")
          .resolve(Path.of("dev", "octroi", "api", "request-members.txt"));

  /** What every prompt may hold, and the members around those that are listed. */
  private static final Set<String> UNLISTED =
      Set.of(
          "type",
          "file",
          "text",
          "image",
          "document",
          "thinking",
          "redacted_thinking",
          "tool_use",
          "tool_result",
          "custom",
          "function",
          "message",
          "input_text",
          "input_image",
          "input_file",
          "function_call",
          "function_call_output",
          "reasoning");

  private final Map<String, JsonNode> told = new TreeMap<>();
  private ModelShop shop;

  @BeforeAll
  void letEachSdkRunItsScenarios(@TempDir Path data) throws Exception {
    NodeClients.install();
    shop = new ModelShop(data);
    Map<String, CompletableFuture<JsonNode>> running = new TreeMap<>();
    for (String sdk : SDKS) {
      running.put(sdk + KEY, CompletableFuture.supplyAsync(() -> run(sdk, shop.key)));
      running.put(sdk + X402, CompletableFuture.supplyAsync(() -> run(sdk, X402)));
    }
    running.forEach((name, result) -> told.put(name, result.join()));
  }

  private JsonNode run(String sdk, String credential) {
    try {
      List<String> script =
          List.of("sdk-" + sdk + ".mjs", shop.base.toString(), credential, ModelShop.ENDLESS);
      return NodeClients.run(Map.of(), script);
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  @AfterAll
  void stop() {
    if (shop != null) {
      shop.close();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "messages, plain, end_turn, claude-haiku-4-5, input_tokens, output_tokens",
    "openai, chatPlain, stop, gemini-3.5-flash-lite, prompt_tokens, completion_tokens",
    "openai, responsesPlain, completed, gpt-5.4-mini, input_tokens, output_tokens"
  })
  @Tag("spec:language.sdk.plain")
  void wholeAnswersAreUnderstood(
      String sdk, String scenario, String stop, String model, String input, String output) {
    for (String payer : List.of(KEY, X402)) {
      JsonNode seen = sold(sdk, payer, scenario);
      assertThat(text(seen)).isEqualTo("Füße und 漢字");
      assertThat(seen.path("stop").asText()).isEqualTo(stop);
      assertThat(seen.path("model").asText()).isEqualTo(model);
      assertThat(seen.path("usage").path(input).asInt()).isPositive();
      assertThat(seen.path("usage").path(output).asInt()).isPositive();
    }
  }

  @ParameterizedTest
  @CsvSource({"messages, plain", "openai, chatPlain", "openai, responsesPlain"})
  @Tag("spec:language.sdk.plain")
  void answersHaveTheGatewaysIdWhereTheSdkShowsIt(String sdk, String scenario) {
    for (String payer : List.of(KEY, X402)) {
      JsonNode seen = sold(sdk, payer, scenario);
      JsonNode last = seen.path("answers").path(seen.path("answers").size() - 1);
      assertThat(seen.path("request").asText()).isNotEmpty();
      assertThat(seen.path("request")).isEqualTo(last.path("request"));
    }
  }

  @ParameterizedTest
  @CsvSource({"messages, structured", "openai, chatStructured", "openai, responsesStructured"})
  @Tag("spec:language.sdk.structured")
  void answersFitASchema(String sdk, String scenario) {
    for (String payer : List.of(KEY, X402)) {
      JsonNode seen = sold(sdk, payer, scenario);
      assertThat(seen.path("output")).hasToString("{\"city\":\"Kassel\",\"days\":3}");
      assertThat(seen.path("streamed")).isEqualTo(seen.path("output"));
    }
  }

  @ParameterizedTest
  @CsvSource({"messages, stops, stop_sequence", "openai, chatStops, stop"})
  void answersEndWhereTheCallerSaidAlsoOfModelsThatCannot(
      String sdk, String scenario, String stop) {
    for (String payer : List.of(KEY, X402)) {
      JsonNode seen = sold(sdk, payer, scenario);
      assertThat(text(seen)).isEqualTo("1, 2, 3");
      assertThat(seen.path("streamed").asText()).isEqualTo("1, 2, 3");
      assertThat(seen.path("stop").asText()).isEqualTo(stop);
    }
  }

  @Test
  void whatAModelDoesNotTakeIsLeftOutAndTold() {
    for (String payer : List.of(KEY, X402)) {
      JsonNode seen = sold("messages", payer, "adapted");
      assertThat(text(seen)).isEqualTo("yes");
      assertThat(
              seen.path("answers").path(seen.path("answers").size() - 1).path("adapted").asText())
          .isEqualTo("thinking=adaptive, output_config.effort=low, temperature, top_p");
    }
  }

  @Test
  void unfinishedFeaturesThatAreListedCanBeTurnedOnAndOthersNot() {
    for (String payer : List.of(KEY, X402)) {
      assertThat(text(sold("messages", payer, "betas"))).isEqualTo("yes");
      assertThrown(
          refused("messages", payer, "unknownBeta"),
          "BadRequestError",
          400,
          "files-api-2025-04-14");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "messages, streaming, end_turn",
    "openai, chatStreaming, stop",
    "openai, responsesStreaming, completed"
  })
  @Tag("spec:language.sdk.streaming")
  void streamedAnswersAreUnderstood(String sdk, String scenario, String stop) {
    for (String payer : List.of(KEY, X402)) {
      JsonNode seen = sold(sdk, payer, scenario);
      assertThat(text(seen)).startsWith("1, 2, 3,").endsWith(", 19, 20");
      assertThat(seen.path("stop").asText()).isEqualTo(stop);
      assertThat(seen.path("output").asInt()).isEqualTo(58);
      int pieces = Math.max(seen.path("events").size(), seen.path("chunks").asInt());
      assertThat(pieces).as("pieces of the stream").isGreaterThan(20);
    }
  }

  @ParameterizedTest
  @CsvSource({"messages, tools", "openai, chatTools", "openai, responsesTools"})
  @Tag("spec:language.sdk.tools")
  void toolsAreCalledAndAnswered(String sdk, String scenario) {
    for (String payer : List.of(KEY, X402)) {
      JsonNode seen = sold(sdk, payer, scenario);
      JsonNode call = seen.path("calls").path(0);
      assertThat(seen.path("calls").size()).isEqualTo(1);
      assertThat(call.path("name").asText()).isEqualTo("weather");
      assertThat(call.path("input")).hasToString("{\"city\":\"Kassel\",\"days\":3}");
      assertThat(text(seen)).isEqualTo("The tool said: Rain all day.");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "messages, parallelTools",
    "openai, chatParallelTools",
    "openai, responsesParallelTools"
  })
  @Tag("spec:language.sdk.tools")
  void toolsAreCalledSeveralAtOnce(String sdk, String scenario) {
    for (String payer : List.of(KEY, X402)) {
      JsonNode seen = sold(sdk, payer, scenario);
      assertThat(seen.path("calls").findValuesAsText("name")).containsExactly("weather", "news");
      assertThat(seen.path("streamed")).isEqualTo(seen.path("calls"));
    }
  }

  /** The SDK for messages asks the vendor to keep the conversation, and sends it whole then. */
  @ParameterizedTest
  @CsvSource({"messages, toolRunner, 1", "openai, chatToolRunner, 0"})
  @Tag("spec:language.sdk.tools")
  void theSdksOwnLoopsRunTools(String sdk, String scenario, int refusedFirst) {
    for (String payer : List.of(KEY, X402)) {
      JsonNode seen = sold(sdk, payer, scenario, refusedFirst);
      assertThat(seen.path("asked")).hasToString("[{\"city\":\"Kassel\",\"days\":3}]");
      assertThat(text(seen)).isEqualTo("The tool said: Sunshine.");
    }
  }

  @ParameterizedTest
  @CsvSource({"messages, thinking", "openai, chatThinking", "openai, responsesThinking"})
  @Tag("spec:language.sdk.thinking")
  void thoughtsAreShown(String sdk, String scenario) {
    for (String payer : List.of(KEY, X402)) {
      JsonNode seen = sold(sdk, payer, scenario);
      assertThat(seen.path("thought").asText()).startsWith("The request says: echo: yes");
      assertThat(text(seen)).isEqualTo("yes");
      if (seen.has("signed")) {
        assertThat(seen.path("streamed")).isEqualTo(seen.path("thought"));
        assertThat(seen.path("signed").asBoolean()).isTrue();
        assertThat(seen.path("streamedSigned").asBoolean()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"messages, vision", "openai, chatVision", "openai, responsesVision"})
  @Tag("spec:language.sdk.vision")
  void picturesArrive(String sdk, String scenario) {
    for (String payer : List.of(KEY, X402)) {
      assertThat(text(sold(sdk, payer, scenario)))
          .isEqualTo("I was given a picture (image/png, 73 bytes, 2 by 2).");
    }
  }

  @ParameterizedTest
  @CsvSource({"messages, otherVendor", "openai, chatOtherVendor", "openai, responsesOtherVendor"})
  @Tag("spec:language.sdk.other_vendors")
  void modelsOfOtherVendorsAreCalledAlike(String sdk, String scenario) {
    for (String payer : List.of(KEY, X402)) {
      JsonNode seen = sold(sdk, payer, scenario);
      assertThat(text(seen)).isEqualTo("across");
      assertThat(seen.path("streamed").asText()).isEqualTo("across");
    }
  }

  @ParameterizedTest
  @CsvSource({"messages, claude-haiku-4.5", "openai, gpt-5.4-mini"})
  @Tag("spec:endpoint.chat.models")
  void modelsAreListed(String sdk, String model) {
    for (String payer : List.of(KEY, X402)) {
      JsonNode seen = seen(sdk, payer, "models");

      assertThat(seen.path("ids"))
          .extracting(JsonNode::asText)
          .doesNotHaveDuplicates()
          .contains("claude-haiku-4.5", "auto/best", "provider-a/image-1", "auto/music");
      assertThat(seen.path("one").asText()).isEqualTo(model);
      // The SDK escapes the slash of the vendor's prefix.
      assertThat(seen.path("prefixed").asText()).isEqualTo(model);
      assertThat(seen.path("answers").findValues("status"))
          .extracting(JsonNode::asInt)
          .containsOnly(200);
      assertThrown(refused(sdk, payer, "unknownModel"), "NotFoundError", 404, "no such model");
    }
    assertThat(seen("messages", KEY, "models").path("answers").size())
        .as("pages of five, and two models")
        .isGreaterThan(4);
  }

  @ParameterizedTest
  @CsvSource({"messages, counted", "openai, responsesCounted"})
  @Tag("spec:language.sdk.counting")
  void promptsAreCountedForNothing(String sdk, String scenario) {
    for (String payer : List.of(KEY, X402)) {
      JsonNode seen = seen(sdk, payer, scenario);
      assertThat(seen.path("tokens").asInt()).isPositive();
      assertThat(seen.path("answers").findValues("status"))
          .extracting(JsonNode::asInt)
          .containsExactly(200);
      assertThat(seen.path("answers").findValues("paid"))
          .extracting(JsonNode::asBoolean)
          .containsOnly(false);
    }
  }

  /** The list that {@code RequestMembersTest} tries out has each member of the SDKs' types. */
  @Test
  void noMemberOfTheSdksRequestTypesIsForgotten() throws Exception {
    Map<String, SdkTypes> types =
        Map.of(
            "messages",
            SdkTypes.of(
                "@anthropic-ai/sdk/resources/messages/messages.d.ts",
                "@anthropic-ai/sdk/resources/beta/messages/messages.d.ts"),
            "chat",
            SdkTypes.of(
                "openai/resources/chat/completions/completions.d.ts",
                "openai/resources/shared.d.ts"),
            "responses",
            SdkTypes.of(
                "openai/resources/responses/responses.d.ts", "openai/resources/shared.d.ts"));
    Map<String, Set<String>> listed = new TreeMap<>();
    try (Stream<String> lines = Files.lines(MEMBERS)) {
      lines
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split(" \\| "))
          .forEach(
              cells ->
                  listed
                      .computeIfAbsent(cells[0] + " " + cells[1], type -> new TreeSet<>())
                      .add(cells[2]));
    }

    Map<String, Set<String>> forgotten = new TreeMap<>();
    listed.forEach(
        (type, members) -> {
          String[] words = type.split(" ");
          Set<String> missing = new TreeSet<>(types.get(words[0]).parts(words[1]));
          missing.removeAll(members);
          missing.removeAll(UNLISTED);
          if (!missing.isEmpty()) {
            forgotten.put(type, missing);
          }
        });

    assertThat(forgotten).isEmpty();
    assertThat(types.get("chat").parts("ChatCompletionCreateParamsBase"))
        .hasSizeGreaterThan(30)
        .contains("messages", "web_search_options");
    assertThat(types.get("messages").parts("BetaToolUnion")).contains("web_search_20250305");
  }

  @ParameterizedTest
  @ValueSource(strings = {"messages", "openai"})
  @Tag("spec:language.sdk.errors")
  void errorsAreTheSdksOwn(String sdk) {
    for (String payer : List.of(KEY, X402)) {
      assertThrown(refused(sdk, payer, "invalid"), "BadRequestError", 400, "no-such-model");
      assertThrown(
          refused(sdk, payer, "upstreamInvalid"),
          "BadRequestError",
          400,
          "The request is not valid");
      assertThrown(
          refused(sdk, payer, "unknownKey"), "AuthenticationError", 401, "Invalid API key");
      assertThat(refused(sdk, payer, "invalid").path("request").asText()).isNotEmpty();
      assertThat(refused(sdk, payer, "invalid").path("type").asText())
          .isEqualTo("invalid_request_error");
      JsonNode unpaid = refused(sdk, payer, "unpaid");
      assertThat(unpaid.path("status").asInt()).isEqualTo(402);
      assertThat(unpaid.path("attempts").asInt()).isEqualTo(1);
    }
  }

  @Test
  @Tag("spec:language.sdk.errors")
  void errorsHaveTheirCodeWhereTheSdkReadsIt() {
    for (String payer : List.of(KEY, X402)) {
      assertThat(refused("openai", payer, "invalid").path("code").asText())
          .isEqualTo("model_not_found");
      assertThat(refused("messages", payer, "invalid").at("/error/error/details/error_code"))
          .hasToString("\"model_not_found\"");
      assertThrown(
          refused("openai", payer, "vendorsFeature"), "BadRequestError", 400, "web_search");
    }
  }

  @ParameterizedTest
  @CsvSource({"messages, retries", "openai, chatRetries", "openai, responsesRetries"})
  @Tag("spec:language.sdk.retries")
  void anOverloadedUpstreamIsTriedAgainAndNotPaidFor(String sdk, String scenario) {
    for (String payer : List.of(KEY, X402)) {
      JsonNode seen = refused(sdk, payer, scenario);
      assertThat(seen.path("status").asInt()).as(seen.toString()).isEqualTo(503);
      assertThat(seen.path("attempts").asInt()).isEqualTo(2);
    }
  }

  @Test
  @Tag("spec:language.sdk.errors")
  @Tag("spec:language.stream.broken")
  void aStreamThatBreaksOffIsAnError() {
    for (String payer : List.of(KEY, X402)) {
      assertThat(seen("messages", payer, "brokenStream").at("/error/error/type").asText())
          .isEqualTo("overloaded_error");
      assertThat(seen("openai", payer, "chatBrokenStream").path("code").asText())
          .isEqualTo("upstream_unavailable");
      JsonNode response = seen("openai", payer, "responsesBrokenStream");
      assertThat(response.path("last").asText()).isEqualTo("response.failed");
      assertThat(response.path("stop").asText()).isEqualTo("failed");
    }
  }

  @Test
  @Tag("spec:language.sdk.cancellation")
  @Tag("spec:language.stream.cancel")
  void aCallerThatCancelsHangsUpOnTheUpstream() {
    for (String sdk : SDKS) {
      for (String payer : List.of(KEY, X402)) {
        assertThat(sold(sdk, payer, "cancellation").path("events").asInt()).isEqualTo(3);
      }
    }
    int readers = 2 * SDKS.size();
    await().atMost(Running.TIMEOUT).until(() -> shop.endless.hangUps() == readers);
  }

  private JsonNode seen(String sdk, String payer, String scenario) {
    JsonNode seen = told.get(sdk + payer).path(scenario);
    assertThat(seen.isObject() && !seen.has("failed"))
        .as("%s with %s, %s: %s", sdk, payer, scenario, seen.path("failed").asText())
        .isTrue();
    return seen;
  }

  /** What a scenario saw whose calls were all answered, and paid for as the payer pays. */
  private JsonNode sold(String sdk, String payer, String scenario) {
    return sold(sdk, payer, scenario, 0);
  }

  private JsonNode sold(String sdk, String payer, String scenario, int refusedFirst) {
    JsonNode seen = seen(sdk, payer, scenario);
    List<Integer> all =
        seen.path("answers").findValues("status").stream().map(JsonNode::asInt).toList();
    assertThat(all.subList(0, refusedFirst)).allMatch(status -> status == 400);
    List<Integer> statuses = all.subList(refusedFirst, all.size());
    if (payer.equals(KEY)) {
      assertThat(statuses).isNotEmpty().containsOnly(200);
    } else {
      assertThat(statuses).hasSizeGreaterThan(1).startsWith(402, 200);
      seen.path("answers")
          .forEach(
              answer ->
                  assertThat(answer.path("paid").asBoolean())
                      .as(seen.toString())
                      .isEqualTo(answer.path("status").asInt() == 200));
    }
    return seen;
  }

  private JsonNode refused(String sdk, String payer, String scenario) {
    JsonNode seen = seen(sdk, payer, scenario);
    assertThat(seen.path("paid").asBoolean()).as(seen.toString()).isFalse();
    return seen;
  }

  private static void assertThrown(JsonNode seen, String type, int status, String words) {
    assertThat(seen.path("thrown").asText()).as(seen.toString()).isEqualTo(type);
    assertThat(seen.path("status").asInt()).isEqualTo(status);
    assertThat(seen.path("attempts").asInt()).isEqualTo(1);
    assertThat(seen.path("message").asText()).contains(words);
  }

  private static String text(JsonNode seen) {
    return seen.path("text").asText();
  }
}
