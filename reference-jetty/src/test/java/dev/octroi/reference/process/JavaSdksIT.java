package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.anthropic.client.AnthropicClient;
import com.anthropic.errors.AnthropicServiceException;
import com.anthropic.models.ErrorType;
import com.anthropic.models.messages.Base64ImageSource;
import com.anthropic.models.messages.ContentBlockParam;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCountTokensParams;
import com.anthropic.models.messages.RawMessageStreamEvent;
import com.anthropic.models.messages.ToolUseBlock;
import com.anthropic.models.models.ModelInfo;
import com.anthropic.models.models.ModelListParams;
import com.openai.client.OpenAIClient;
import com.openai.core.http.StreamResponse;
import com.openai.errors.OpenAIServiceException;
import com.openai.models.Reasoning;
import com.openai.models.ReasoningEffort;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.models.Model;
import com.openai.models.responses.Response;
import com.openai.models.responses.inputtokens.InputTokenCountParams;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The model vendors' SDKs for Java, unmodified, at the built jar: by base address alone, with an
 * API key and paying per call.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("spec:language.sdk.java")
class JavaSdksIT {

  private static final String PICTURE =
      "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJ"
          + "RU5ErkJggg==";

  private enum Payer {
    KEY,
    X402
  }

  private ModelShop shop;

  @BeforeAll
  void serve(@TempDir Path data) throws Exception {
    shop = new ModelShop(data);
  }

  @AfterAll
  void stop() {
    if (shop != null) {
      shop.close();
    }
  }

  @ParameterizedTest
  @EnumSource(Payer.class)
  @Tag("spec:language.sdk.plain")
  @Tag("spec:language.sdk.streaming")
  @Tag("spec:endpoint.messages")
  @Tag("spec:record.messages.content.text")
  void messagesAreUnderstoodWholeAndStreamed(Payer payer) {
    SdkDoor door = door(payer);
    MessagesSdk sdk = messages(door, 0);

    Message whole = sdk.whole(MessagesSdk.ask("echo: Füße und 漢字"));
    Message streamed = sdk.streamed(MessagesSdk.ask("count to 20"));

    assertThat(MessagesSdk.text(whole)).isEqualTo("Füße und 漢字");
    assertThat(whole.usage().outputTokens()).isPositive();
    assertThat(MessagesSdk.text(streamed)).startsWith("1, 2, 3,").endsWith(", 19, 20");
    assertSold(door, payer, 2);
  }

  @ParameterizedTest
  @EnumSource(Payer.class)
  @Tag("spec:language.sdk.tools")
  @Tag("spec:record.messages.content.tool_use")
  void messagesCallToolsSeveralAtOnce(Payer payer) {
    SdkDoor door = door(payer);
    MessagesSdk sdk = messages(door, 0);

    for (boolean whole : new boolean[] {true, false}) {
      var ask =
          MessagesSdk.ask("use weather and news")
              .addTool(MessagesSdk.tool("weather"))
              .addTool(MessagesSdk.tool("news"));
      Message message = whole ? sdk.whole(ask) : sdk.streamed(ask);
      assertThat(MessagesSdk.calls(message))
          .extracting(ToolUseBlock::name)
          .containsExactly("weather", "news");
    }
    assertSold(door, payer, 2);
  }

  @ParameterizedTest
  @EnumSource(Payer.class)
  @Tag("spec:language.sdk.thinking")
  @Tag("spec:language.sdk.vision")
  @Tag("spec:record.messages.content.thinking")
  void messagesShowThoughtsAndTakePictures(Payer payer) {
    SdkDoor door = door(payer);
    MessagesSdk sdk = messages(door, 0);
    Base64ImageSource picture =
        Base64ImageSource.builder()
            .mediaType(Base64ImageSource.MediaType.IMAGE_PNG)
            .data(PICTURE)
            .build();

    Message thought = sdk.streamed(MessagesSdk.ask("echo: yes").enabledThinking(1024));
    Message seen =
        sdk.whole(
            MessagesSdk.ask()
                .addUserMessageOfContentBlockParams(
                    List.of(
                        ContentBlockParam.ofImage(picture),
                        ContentBlockParam.ofText("What is this?"))));

    assertThat(thought.content().get(0).thinking().orElseThrow().thinking())
        .startsWith("The request says: echo: yes");
    assertThat(MessagesSdk.text(thought)).isEqualTo("yes");
    assertThat(MessagesSdk.text(seen)).startsWith("I was given a picture (image/png, 73 bytes");
    assertSold(door, payer, 2);
  }

  @ParameterizedTest
  @EnumSource(Payer.class)
  @Tag("spec:language.sdk.plain")
  @Tag("spec:language.sdk.streaming")
  @Tag("spec:language.sdk.tools")
  @Tag("spec:endpoint.chat.completions")
  void chatIsUnderstoodWholeStreamedAndWithTools(Payer payer) {
    SdkDoor door = door(payer);
    OpenSdk sdk = open(door, 0);
    ChatCompletionCreateParams.Builder ask =
        OpenSdk.chat("use weather and news")
            .addFunctionTool(OpenSdk.tool("weather"))
            .addFunctionTool(OpenSdk.tool("news"));

    ChatCompletion whole = sdk.whole(OpenSdk.chat("echo: Füße und 漢字"));
    ChatCompletion streamed = sdk.streamed(ask);

    assertThat(OpenSdk.text(whole)).isEqualTo("Füße und 漢字");
    assertThat(OpenSdk.calls(streamed)).containsExactly("weather", "news");
    assertSold(door, payer, 2);
  }

  @ParameterizedTest
  @EnumSource(Payer.class)
  @Tag("spec:language.sdk.plain")
  @Tag("spec:language.sdk.streaming")
  @Tag("spec:language.sdk.thinking")
  @Tag("spec:endpoint.chat.responses")
  void responsesAreUnderstoodWholeAndStreamed(Payer payer) {
    SdkDoor door = door(payer);
    OpenSdk sdk = open(door, 0);
    Reasoning think =
        Reasoning.builder().effort(ReasoningEffort.LOW).summary(Reasoning.Summary.AUTO).build();

    Response whole = sdk.whole(OpenSdk.respond("echo: Füße und 漢字"));
    Response streamed = sdk.streamed(OpenSdk.respond("echo: yes").reasoning(think));

    assertThat(OpenSdk.text(whole)).isEqualTo("Füße und 漢字");
    assertThat(streamed.output().get(0).asReasoning().summary().get(0).text())
        .startsWith("The request says: echo: yes");
    assertThat(OpenSdk.text(streamed)).isEqualTo("yes");
    assertSold(door, payer, 2);
  }

  @ParameterizedTest
  @EnumSource(Payer.class)
  @Tag("spec:language.sdk.errors")
  void errorsAreTheSdksOwn(Payer payer) {
    SdkDoor door = door(payer);
    MessagesSdk messages = messages(door, 0);
    OpenSdk open = open(door, 0);

    assertThat(messages.refused(MessagesSdk.ask("hi").model("no-such-model"))).isEqualTo(400);
    assertThat(messages.refused(MessagesSdk.ask("fail with invalid request"))).isEqualTo(400);
    assertThat(open.refused(OpenSdk.respond("hi").model("no-such-model"))).isEqualTo(400);
    assertThat(open.refused(OpenSdk.respond("fail with invalid request"))).isEqualTo(400);
    assertThat(door.statuses()).contains(400).doesNotContain(200);
  }

  @ParameterizedTest
  @EnumSource(Payer.class)
  @Tag("spec:language.sdk.errors")
  void errorsHaveTheirKindAndTheGatewaysIdWhereTheSdkReadsThem(Payer payer) {
    AnthropicServiceException messages =
        messages(door(payer), 0).failure(MessagesSdk.ask("hi").model("no-such-model"));
    OpenAIServiceException open =
        open(door(payer), 0).failure(OpenSdk.respond("hi").model("no-such-model"));

    assertThat(messages).isInstanceOf(com.anthropic.errors.BadRequestException.class);
    assertThat(messages.type()).contains(ErrorType.INVALID_REQUEST_ERROR);
    assertThat(messages.requestId()).isPresent();
    assertThat(open).isInstanceOf(com.openai.errors.BadRequestException.class);
    assertThat(open.code()).contains("model_not_found");
    assertThat(open.type()).contains("invalid_request_error");
    assertThat(open.headers().values("x-request-id")).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Payer.class)
  @Tag("spec:endpoint.chat.models")
  @Tag("spec:language.sdk.counting")
  void modelsAreListedAndPromptsCountedForNothing(Payer payer) {
    SdkDoor door = door(payer);
    AnthropicClient messages = messages(door, 0).client();
    OpenAIClient open = open(door, 0).client();

    List<String> paged =
        messages.models().list(ModelListParams.builder().limit(5).build()).autoPager().stream()
            .peek(model -> assertThat(model.lifecycle().asString()).isNotEmpty())
            .map(ModelInfo::id)
            .toList();
    assertThat(paged).contains("claude-haiku-4.5", "auto/best", "provider-a/image-1");
    assertThat(open.models().list().items().stream().map(Model::id)).isEqualTo(paged);
    assertThat(messages.models().retrieve("claude-haiku-4-5").maxInputTokens()).contains(200_000L);
    assertThat(open.models().retrieve("openai/gpt-5.4-mini").id()).isEqualTo("gpt-5.4-mini");
    assertThat(
            messages
                .messages()
                .countTokens(
                    MessageCountTokensParams.builder()
                        .model("claude-haiku-4.5")
                        .addUserMessage("How long is this?")
                        .build())
                .inputTokens())
        .isPositive();
    assertThat(
            open.responses()
                .inputTokens()
                .count(
                    InputTokenCountParams.builder()
                        .model("gpt-5.4-mini")
                        .input("How long is this?")
                        .build())
                .inputTokens())
        .isPositive();
    assertThat(door.statuses()).containsOnly(200);
  }

  @Test
  @Tag("spec:language.sdk.errors")
  void aKeyThatIsUnknownIsRefused() {
    SdkDoor door = SdkDoor.ofKey();

    assertThat(MessagesSdk.at(shop.base, "sk-unknown", door, 0).refused(MessagesSdk.ask("hi")))
        .isEqualTo(401);
    assertThat(OpenSdk.at(shop.base, "sk-unknown", door, 0).refused(OpenSdk.respond("hi")))
        .isEqualTo(401);
  }

  @ParameterizedTest
  @EnumSource(Payer.class)
  @Tag("spec:language.sdk.retries")
  void anOverloadedUpstreamIsTriedAgain(Payer payer) {
    SdkDoor door = door(payer);

    assertThat(messages(door, 1).refused(MessagesSdk.ask("fail with unavailable"))).isEqualTo(503);
    assertThat(door.statuses()).filteredOn(status -> status == 503).hasSize(2);
    assertThat(open(door, 1).refused(OpenSdk.respond("fail with unavailable"))).isEqualTo(503);
    assertThat(door.statuses()).filteredOn(status -> status == 503).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource(Payer.class)
  @Tag("spec:language.sdk.cancellation")
  void aStreamThatIsClosedHangsUpOnTheUpstream(Payer payer) {
    int before = shop.endless.hangUps();

    try (com.anthropic.core.http.StreamResponse<RawMessageStreamEvent> stream =
        messages(door(payer), 0).begun(MessagesSdk.ask("hi").model(ModelShop.ENDLESS))) {
      assertThat(stream.stream().limit(5)).hasSize(5);
    }
    try (StreamResponse<ChatCompletionChunk> stream =
        open(door(payer), 0).begun(OpenSdk.chat("hi").model(ModelShop.ENDLESS))) {
      assertThat(stream.stream().limit(5)).hasSize(5);
    }

    await().atMost(Running.TIMEOUT).until(() -> shop.endless.hangUps() == before + 2);
  }

  private static SdkDoor door(Payer payer) {
    return payer == Payer.KEY ? SdkDoor.ofKey() : SdkDoor.paying();
  }

  private MessagesSdk messages(SdkDoor door, int retries) {
    return MessagesSdk.at(shop.base, shop.key, door, retries);
  }

  private OpenSdk open(SdkDoor door, int retries) {
    return OpenSdk.at(shop.base, shop.key, door, retries);
  }

  /** Who pays per call is asked for the money first. */
  private static void assertSold(SdkDoor door, Payer payer, int calls) {
    List<Integer> statuses = door.statuses();
    assertThat(statuses).filteredOn(status -> status == 200).hasSize(calls);
    assertThat(statuses).hasSize(payer == Payer.KEY ? calls : 2 * calls);
  }
}
