package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.anthropic.backends.Backend;
import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.core.JsonValue;
import com.anthropic.core.http.StreamResponse;
import com.anthropic.errors.AnthropicServiceException;
import com.anthropic.helpers.MessageAccumulator;
import com.anthropic.models.messages.ContentBlock;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.RawMessageStreamEvent;
import com.anthropic.models.messages.Tool;
import com.anthropic.models.messages.ToolUseBlock;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** The messages vendor's SDK for Java, told nothing but where the gateway is. */
record MessagesSdk(AnthropicClient client) {

  static MessagesSdk at(URI base, String key, SdkDoor door, int retries) {
    AnthropicOkHttpClient.Builder builder =
        AnthropicOkHttpClient.builder().maxRetries(retries).addInterceptor(door.messages());
    return new MessagesSdk(
        door.pays()
            ? builder.backend(new Nameless(base.toString())).build()
            : builder.baseUrl(base.toString()).apiKey(key).build());
  }

  /** Without a key there is nothing for the SDK to send. */
  private record Nameless(String baseUrl) implements Backend {

    @Override
    public void close() {
      // It holds nothing.
    }
  }

  static MessageCreateParams.Builder ask() {
    return MessageCreateParams.builder().model("claude-haiku-4.5").maxTokens(2048);
  }

  static MessageCreateParams.Builder ask(String text) {
    return ask().addUserMessage(text);
  }

  static Tool tool(String name) {
    Tool.InputSchema.Properties properties =
        Tool.InputSchema.Properties.builder()
            .putAdditionalProperty("city", JsonValue.from(Map.of("type", "string")))
            .build();
    return Tool.builder()
        .name(name)
        .inputSchema(
            Tool.InputSchema.builder().properties(properties).required(List.of("city")).build())
        .build();
  }

  Message whole(MessageCreateParams.Builder ask) {
    return client.messages().create(ask.build());
  }

  Message streamed(MessageCreateParams.Builder ask) {
    MessageAccumulator pieces = MessageAccumulator.create();
    try (StreamResponse<RawMessageStreamEvent> stream = begun(ask)) {
      stream.stream().forEach(pieces::accumulate);
    }
    return pieces.message();
  }

  StreamResponse<RawMessageStreamEvent> begun(MessageCreateParams.Builder ask) {
    return client.messages().createStreaming(ask.build());
  }

  /** The status with which a call fails. */
  int refused(MessageCreateParams.Builder ask) {
    return failure(ask).statusCode();
  }

  AnthropicServiceException failure(MessageCreateParams.Builder ask) {
    return catchThrowableOfType(AnthropicServiceException.class, () -> whole(ask));
  }

  static String text(Message message) {
    return message.content().stream()
        .filter(ContentBlock::isText)
        .map(part -> part.text().orElseThrow().text())
        .reduce("", String::concat);
  }

  static List<ToolUseBlock> calls(Message message) {
    return message.content().stream()
        .filter(ContentBlock::isToolUse)
        .map(part -> part.toolUse().orElseThrow())
        .toList();
  }
}
