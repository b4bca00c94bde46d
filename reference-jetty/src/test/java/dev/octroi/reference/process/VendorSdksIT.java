package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.core.JsonValue;
import com.anthropic.errors.BadRequestException;
import com.anthropic.models.messages.MessageCreateParams;
import com.fasterxml.jackson.databind.JsonNode;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.octroi.sandbox.Sandbox;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The vendors' own SDKs, unmodified, at the sandbox's vendors and not through the gateway: another
 * reader of the vendors' contracts than this project. They get what their types promise, and for
 * what is wrong the error that they know.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class VendorSdksIT {

  private final Sandbox sandbox = Sandbox.start(0, true);

  @AfterAll
  void stop() {
    sandbox.close();
  }

  /** Those that are published for Node. */
  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  class ForNode {

    private JsonNode told;

    @BeforeAll
    void run() throws Exception {
      NodeClients.install();
      told = NodeClients.run(Map.of(), List.of("vendor-sdks.mjs", sandbox.url().toString()));
    }

    private JsonNode seen(String scenario) {
      JsonNode seen = told.path(scenario);
      assertThat(seen.isObject() && !seen.has("failed"))
          .as(scenario + ": " + seen.path("failed").asText())
          .isTrue();
      return seen;
    }

    @Test
    void messagesAreWholeStreamedCalledThoughtSeenAndCounted() {
      JsonNode seen = seen("messages");
      assertThat(seen.path("text").asText()).isEqualTo("yes");
      assertThat(seen.path("stop").asText()).isEqualTo("end_turn");
      assertThat(seen.path("usage").asBoolean()).isTrue();
      assertThat(seen.path("id").asText()).startsWith("req_");
      assertThat(seen.path("streamed").asText()).isEqualTo("1, 2, 3, 4, 5");
      assertThat(seen.path("tool").asText()).isEqualTo("weather");
      assertThat(seen.path("answered").asText()).contains("Rain");
      assertThat(seen.path("thought")).hasToString("[\"thinking\",\"text\"]");
      assertThat(seen.path("seen").asText()).contains("image/png");
      assertThat(seen.path("counted").asInt()).isPositive();
    }

    @Test
    void chatIsWholeStreamedCalledAndParsed() {
      JsonNode seen = seen("chat");
      assertThat(seen.path("text").asText()).isEqualTo("yes");
      assertThat(seen.path("stop").asText()).isEqualTo("stop");
      assertThat(seen.path("id").asText()).startsWith("req_");
      assertThat(seen.path("streamed").asText()).isEqualTo("1, 2, 3, 4, 5");
      assertThat(seen.path("usage").asBoolean()).isTrue();
      assertThat(seen.path("tool").asText()).isEqualTo("weather");
      assertThat(seen.path("parsed").asText()).isEqualTo("string");
    }

    @Test
    void responsesAreWholeStreamedAndCounted() {
      JsonNode seen = seen("responses");
      assertThat(seen.path("text").asText()).isEqualTo("yes");
      assertThat(seen.path("status").asText()).isEqualTo("completed");
      assertThat(seen.path("last").asText()).isEqualTo("response.completed");
      assertThat(seen.path("counted").asInt()).isPositive();
    }

    @Test
    void picturesAreDrawnInStepsAndEdited() {
      JsonNode seen = seen("pictures");
      assertThat(seen.path("png").asText()).isEqualTo("PNG");
      assertThat(seen.path("types"))
          .hasToString("[\"image_generation.partial_image\",\"image_generation.completed\"]");
      assertThat(seen.path("edited").asInt()).isEqualTo(1);
      assertThat(seen.path("two").asInt()).isEqualTo(1);
    }

    @Test
    void pagesAreFoundReadAndAnsweredFrom() {
      JsonNode seen = seen("search");
      assertThat(seen.path("results").asInt()).isEqualTo(3);
      assertThat(seen.path("text").asText()).isEqualTo("string");
      assertThat(seen.path("bare").asBoolean()).isTrue();
      assertThat(seen.path("dressed").asBoolean()).isTrue();
      assertThat(seen.path("page").asInt()).isEqualTo(20);
      assertThat(seen.path("status").asText()).isEqualTo("success");
      assertThat(seen.path("similar").asInt()).isEqualTo(2);
      assertThat(seen.path("answer").asText()).contains("two days");
      assertThat(seen.path("citations").asInt()).isPositive();
    }

    @Test
    void numbersAreBoughtListedLookedUpAndGivenBackAndTextsSent() {
      JsonNode seen = seen("phone");
      assertThat(seen.path("bought").asBoolean()).isTrue();
      assertThat(seen.path("listed")).hasToString("[\"mine\"]");
      assertThat(seen.path("status").asText()).isEqualTo("queued");
      assertThat(seen.path("sent")).hasToString("[\"hello\"]");
      assertThat(seen.path("valid").asBoolean()).isTrue();
      assertThat(seen.path("carrier").asText()).isEqualTo("string");
      assertThat(seen.path("removed").asBoolean()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "messages | unknown | BadRequestError | 400 | colour: Extra inputs are not permitted",
          "messages | missing | BadRequestError | 400 | max_tokens: Field required",
          "messages | sampling | BadRequestError | 400 | temperature: Extra inputs",
          "messages | beta | BadRequestError | 400 | anthropic-beta",
          "messages | key | AuthenticationError | 401 | API key",
          "messages | path | NotFoundError | 404 | nothing at this address",
          "messages | busy | RateLimitError | 429 | Rate limit",
          "messages | overloaded | OverloadedError | 529 | Overloaded",
          "chat | unknown | BadRequestError | 400 | Unknown parameter: 'colour'",
          "chat | type | BadRequestError | 400 | Invalid type for 'n'",
          "chat | dialect | BadRequestError | 400 | Unknown parameter: 'store'",
          "chat | path | NotFoundError | 404 | nothing at this address",
          "responses | unknown | BadRequestError | 400 | Unknown parameter: 'max_tokens'",
          "responses | bound | BadRequestError | 400 | at least 16",
          "pictures | retired | BadRequestError | 400 | model must be one of the vendor's models",
          "pictures | format | BadRequestError | 400 | Unknown parameter: 'response_format'",
          "pictures | prompt | BadRequestError | 400 | prompt is required",
          "search | category | ExaError | 400 | category must be one of",
          "search | dates | ExaError | 400 | startPublishedDate is not taken",
          "search | many | ExaError | 400 | numResults must be at most 100",
          "search | key | ExaError | 401 | credential",
          "phone | field | RestException | 400 | Fields must be one of",
          "phone | to | RestException | 400 | To",
          "phone | gone | RestException | 404 | not found",
          "phone | path | RestException | 404 | not found"
        })
    void whatIsWrongIsTheErrorThatTheSdkKnows(
        String vendor, String wrong, String type, int status, String words) {
      JsonNode seen = seen(vendor + "Errors").path(wrong);
      assertThat(seen.path("thrown").asText()).as(seen.toString()).isEqualTo(type);
      assertThat(seen.path("status").asInt()).as(seen.toString()).isEqualTo(status);
      assertThat(seen.path("message").asText()).contains(words);
    }

    @ParameterizedTest
    @CsvSource({
      "chat, unknown, unknown_parameter, colour",
      "chat, type, invalid_type, n",
      "responses, bound, invalid_value, max_output_tokens",
      "pictures, format, unknown_parameter, response_format",
      "phone, to, 21604, ",
      "phone, gone, 20404, "
    })
    void theErrorHasTheVendorsCode(String vendor, String wrong, String code, String parameter) {
      JsonNode seen = seen(vendor + "Errors").path(wrong);
      assertThat(seen.path("code").asText()).as(seen.toString()).isEqualTo(code);
      if (parameter != null) {
        assertThat(seen.path("param").asText()).isEqualTo(parameter);
      }
    }
  }

  @Test
  void messagesForJavaAreWholeStreamedAndRefused() {
    AnthropicClient client =
        AnthropicOkHttpClient.builder()
            .baseUrl(sandbox.url() + "/messages")
            .apiKey("any")
            .maxRetries(0)
            .build();
    MessagesSdk sdk = new MessagesSdk(client);

    assertThat(MessagesSdk.text(sdk.whole(asked("echo: yes")))).isEqualTo("yes");
    assertThat(MessagesSdk.text(sdk.streamed(asked("count to 3")))).isEqualTo("1, 2, 3");
    BadRequestException refused =
        catchThrowableOfType(
            BadRequestException.class,
            () -> sdk.whole(asked("x").putAdditionalBodyProperty("colour", JsonValue.from("red"))));
    assertThat(refused).hasMessageContaining("colour: Extra inputs are not permitted");
    client.close();
  }

  private static MessageCreateParams.Builder asked(String text) {
    return MessageCreateParams.builder()
        .model("claude-haiku-4-5")
        .maxTokens(1024)
        .addUserMessage(text);
  }

  @Test
  void chatForJavaIsWholeAndRefused() {
    OpenAIClient client =
        OpenAIOkHttpClient.builder()
            .baseUrl(sandbox.url() + "/chat/v1")
            .apiKey("any")
            .maxRetries(0)
            .build();
    ChatCompletionCreateParams.Builder ask =
        ChatCompletionCreateParams.builder().model("gpt-5.4-mini").addUserMessage("echo: yes");

    assertThat(client.chat().completions().create(ask.build()).choices().get(0).message().content())
        .contains("yes");
    com.openai.errors.BadRequestException refused =
        catchThrowableOfType(
            com.openai.errors.BadRequestException.class,
            () -> client.chat().completions().create(ask.temperature(7).build()));
    assertThat(refused).hasMessageContaining("temperature");
    client.close();
  }
}
