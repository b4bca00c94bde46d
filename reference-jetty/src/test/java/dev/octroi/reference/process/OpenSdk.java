package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.errors.OpenAIServiceException;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseOutputItem;
import com.openai.models.responses.ResponseStreamEvent;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** The SDK for Java of the vendor of chat completions and responses, told where the gateway is. */
record OpenSdk(OpenAIClient client) {

  static OpenSdk at(URI base, String key, SdkDoor door, int retries) {
    return new OpenSdk(
        OpenAIOkHttpClient.builder()
            .baseUrl(base + "/v1")
            .apiKey(key)
            .maxRetries(retries)
            .addInterceptor(door.open())
            .build());
  }

  static ChatCompletionCreateParams.Builder chat(String text) {
    return ChatCompletionCreateParams.builder()
        .model("gemini-3.5-flash-lite")
        .maxCompletionTokens(1024)
        .addUserMessage(text);
  }

  static FunctionDefinition tool(String name) {
    FunctionParameters parameters =
        FunctionParameters.builder()
            .putAdditionalProperty("type", JsonValue.from("object"))
            .putAdditionalProperty(
                "properties", JsonValue.from(Map.of("city", Map.of("type", "string"))))
            .putAdditionalProperty("required", JsonValue.from(List.of("city")))
            .build();
    return FunctionDefinition.builder().name(name).parameters(parameters).build();
  }

  static ResponseCreateParams.Builder respond() {
    return ResponseCreateParams.builder().model("gpt-5.4-mini").maxOutputTokens(1024);
  }

  static ResponseCreateParams.Builder respond(String text) {
    return respond().input(text);
  }

  ChatCompletion whole(ChatCompletionCreateParams.Builder ask) {
    return client.chat().completions().create(ask.build());
  }

  ChatCompletion streamed(ChatCompletionCreateParams.Builder ask) {
    ChatCompletionAccumulator pieces = ChatCompletionAccumulator.create();
    try (StreamResponse<ChatCompletionChunk> stream = begun(ask)) {
      stream.stream().forEach(pieces::accumulate);
    }
    return pieces.chatCompletion();
  }

  StreamResponse<ChatCompletionChunk> begun(ChatCompletionCreateParams.Builder ask) {
    return client.chat().completions().createStreaming(ask.build());
  }

  Response whole(ResponseCreateParams.Builder ask) {
    return client.responses().create(ask.build());
  }

  Response streamed(ResponseCreateParams.Builder ask) {
    ResponseAccumulator pieces = ResponseAccumulator.create();
    try (StreamResponse<ResponseStreamEvent> stream =
        client.responses().createStreaming(ask.build())) {
      stream.stream().forEach(pieces::accumulate);
    }
    return pieces.response();
  }

  /** The status with which a call fails. */
  int refused(ResponseCreateParams.Builder ask) {
    return failure(ask).statusCode();
  }

  OpenAIServiceException failure(ResponseCreateParams.Builder ask) {
    return catchThrowableOfType(OpenAIServiceException.class, () -> whole(ask));
  }

  static String text(Response response) {
    return response.output().stream()
        .filter(ResponseOutputItem::isMessage)
        .map(item -> item.asMessage().content().get(0).asOutputText().text())
        .reduce("", String::concat);
  }

  static String text(ChatCompletion completion) {
    return completion.choices().get(0).message().content().orElse("");
  }

  static List<String> calls(ChatCompletion completion) {
    return completion.choices().get(0).message().toolCalls().orElseThrow().stream()
        .map(call -> call.asFunction().function().name())
        .toList();
  }
}
