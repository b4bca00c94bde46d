package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The frameworks that most programs for JavaScript call models with, unmodified, at the built jar:
 * by base address and API key alone, in each of the three protocols.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
@Tag("spec:language.sdk.frameworks")
class NodeFrameworksIT {

  private static final List<String> FRAMEWORKS = List.of("ai", "langchain");
  private static final List<String> PROTOCOLS = List.of("messages", "chat", "responses");
  private static final String TRIP = "{\"city\":\"Kassel\",\"days\":3}";

  private final Map<String, JsonNode> told = new TreeMap<>();
  private ModelShop shop;

  @BeforeAll
  void letEachRunItsScenarios(@TempDir Path data) throws Exception {
    NodeClients.install();
    shop = new ModelShop(data);
    for (String framework : FRAMEWORKS) {
      List<String> script =
          List.of("sdk-" + framework + ".mjs", shop.base.toString(), shop.key, ModelShop.ENDLESS);
      told.put(framework, NodeClients.run(Map.of(), script));
    }
  }

  @AfterAll
  void stop() {
    if (shop != null) {
      shop.close();
    }
  }

  static Stream<Arguments> everyProtocol() {
    return FRAMEWORKS.stream()
        .flatMap(
            framework -> PROTOCOLS.stream().map(protocol -> Arguments.of(framework, protocol)));
  }

  @ParameterizedTest
  @MethodSource("everyProtocol")
  @Tag("spec:language.sdk.plain")
  void wholeAnswersAreUnderstood(String framework, String protocol) {
    JsonNode seen = sold(framework, protocol + "Plain");

    assertThat(text(seen)).isEqualTo("Füße und 漢字");
    assertThat(seen.path("input").asInt()).isPositive();
    assertThat(seen.path("output").asInt()).isPositive();
  }

  @ParameterizedTest
  @MethodSource("everyProtocol")
  @Tag("spec:language.sdk.streaming")
  void streamedAnswersAreUnderstood(String framework, String protocol) {
    JsonNode seen = sold(framework, protocol + "Streaming");

    assertThat(text(seen)).startsWith("1, 2, 3,").endsWith(", 19, 20");
    assertThat(seen.path("pieces").asInt()).isGreaterThan(20);
    // One of them adds the count of the first event to the whole one of the last.
    assertThat(seen.path("output").asInt()).isBetween(58, 59);
  }

  @ParameterizedTest
  @MethodSource("everyProtocol")
  @Tag("spec:language.sdk.tools")
  void toolsAreCalledAndAnswered(String framework, String protocol) {
    JsonNode seen = sold(framework, protocol + "Tools");

    assertThat(text(seen)).isEqualTo("The tool said: Rain all day.");
    if (seen.has("asked")) {
      assertThat(seen.path("asked")).hasToString("[" + TRIP + "," + TRIP + "]");
      assertThat(seen.path("streamed").asText()).isEqualTo(text(seen));
    } else {
      assertThat(seen.path("calls")).hasToString("[{\"name\":\"weather\",\"input\":" + TRIP + "}]");
      assertThat(seen.path("streamed")).isEqualTo(seen.path("calls"));
    }
  }

  @ParameterizedTest
  @MethodSource("everyProtocol")
  @Tag("spec:language.sdk.structured")
  void answersFitASchema(String framework, String protocol) {
    JsonNode seen = sold(framework, protocol + "Structured");

    assertThat(seen.path("output")).hasToString(TRIP);
    assertThat(seen.path(framework.equals("ai") ? "streamed" : "strict")).hasToString(TRIP);
  }

  @ParameterizedTest
  @MethodSource("everyProtocol")
  @Tag("spec:language.sdk.vision")
  void picturesArrive(String framework, String protocol) {
    assertThat(text(sold(framework, protocol + "Vision")))
        .isEqualTo("I was given a picture (image/png, 73 bytes, 2 by 2).");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ai", "langchain"})
  @Tag("spec:language.sdk.thinking")
  void thoughtsAreShown(String framework) {
    JsonNode seen = sold(framework, "thinking");

    assertThat(seen.path("thought").asText()).startsWith("The request says: echo: yes");
    assertThat(text(seen)).isEqualTo("yes");
  }

  @ParameterizedTest
  @MethodSource("everyProtocol")
  @Tag("spec:language.sdk.errors")
  void aRefusalOfTheVendorIsAnErrorWithItsStatusAndWords(String framework, String protocol) {
    assertRefused(framework, protocol + "Invalid", 400, "The request is not valid");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ai", "langchain"})
  @Tag("spec:language.sdk.errors")
  void aRefusalOfTheGatewayIsAnErrorWithItsStatusAndWords(String framework) {
    assertRefused(framework, "unknownModel", 400, "'no-such-model' does not exist");
    assertRefused(framework, "unknownKey", 401, "Invalid API key");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ai", "langchain"})
  @Tag("spec:language.sdk.cancellation")
  void aCallerThatCancelsHangsUpOnTheUpstream(String framework) {
    assertThat(sold(framework, "cancellation").path("events").asInt()).isEqualTo(3);
    await().atMost(Running.TIMEOUT).until(() -> shop.endless.hangUps() == FRAMEWORKS.size());
  }

  private void assertRefused(String framework, String scenario, int status, String words) {
    JsonNode seen = seen(framework, scenario);

    assertThat(seen.path("status").asInt()).as(seen.toString()).isEqualTo(status);
    assertThat(seen.path("attempts").asInt()).isEqualTo(1);
    assertThat(seen.path("message").asText()).contains(words);
    assertThat(seen.path("request").asText()).isNotEmpty();
  }

  private JsonNode sold(String framework, String scenario) {
    JsonNode seen = seen(framework, scenario);
    assertThat(seen.path("answers").findValues("status"))
        .extracting(JsonNode::asInt)
        .isNotEmpty()
        .containsOnly(200);
    return seen;
  }

  private JsonNode seen(String framework, String scenario) {
    JsonNode seen = told.get(framework).path(scenario);
    assertThat(seen.isObject() && !seen.has("failed"))
        .as("%s, %s: %s", framework, scenario, seen.path("failed").asText())
        .isTrue();
    return seen;
  }

  private static String text(JsonNode seen) {
    return seen.path("text").asText();
  }
}
