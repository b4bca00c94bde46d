package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.sandbox.contract.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The chat completions protocol. */
final class ChatWire implements Wire {

  private static final long CREATED = 1_781_000_000L;

  @Override
  public String path() {
    return "/v1/chat/completions";
  }

  @Override
  public String idHeader() {
    return "x-request-id";
  }

  @Override
  public Map<String, @Nullable Object> counted(Plan plan) {
    return Json.object()
        .with("object", "response.input_tokens")
        .with("input_tokens", plan.usage().allInput())
        .map();
  }

  @Override
  public VendorRefusal refusal(Violation violation) {
    return OpenError.refusal(violation);
  }

  @Override
  public Asked read(JsonNode body) {
    return ChatReader.read(body);
  }

  @Override
  public Map<String, @Nullable Object> whole(Plan plan, Asked asked) {
    boolean refused = plan.ending() == Plan.Ending.REFUSED;
    String text = Text.said(plan);
    Json message =
        Json.object()
            .with("role", "assistant")
            .with("content", refused || text.isEmpty() ? null : text)
            .with("refusal", refused ? text : null);
    if (asked.thinks()) {
      message.with("reasoning_content", Text.thought(plan));
    }
    List<Map<String, @Nullable Object>> calls = new ArrayList<>();
    Text.calls(plan).forEach(call -> calls.add(call(call, call.arguments()).map()));
    if (!calls.isEmpty()) {
      message.with("tool_calls", calls);
    }
    Json choice =
        Json.object()
            .with("index", 0)
            .with("message", message.map())
            .with("logprobs", null)
            .with("finish_reason", reason(plan));
    return answer(plan, "chat.completion", List.of(choice.map())).with("usage", usage(plan)).map();
  }

  @Override
  public void stream(Plan plan, Asked asked, Frames frames) {
    Json first = Json.object().with("role", "assistant").with("content", "").with("refusal", null);
    frames.data(chunk(plan, first, null));
    int calls = 0;
    for (Plan.Step step : plan.steps()) {
      if (step instanceof Plan.Call call) {
        called(plan, call, calls++, frames);
      } else if (step instanceof Plan.Think think) {
        think.pieces().forEach(piece -> piece(plan, "reasoning_content", piece, frames));
      } else if (step instanceof Plan.Say say) {
        String member = plan.ending() == Plan.Ending.REFUSED ? "refusal" : "content";
        say.pieces().forEach(piece -> piece(plan, member, piece, frames));
      }
    }
    if (frames.failed()) {
      frames.failure(() -> frames.data(error(500, "", "server_error", "The server had an error")));
      return;
    }
    frames.data(chunk(plan, Json.object(), reason(plan)));
    if (asked.body().path("stream_options").path("include_usage").asBoolean(false)) {
      frames.data(
          answer(plan, "chat.completion.chunk", List.of()).with("usage", usage(plan)).map());
    }
    frames.done();
  }

  @Override
  public Map<String, @Nullable Object> error(
      int status, String parameter, String code, String message) {
    return OpenError.of(status, parameter, code, message);
  }

  private static void called(Plan plan, Plan.Call call, int index, Frames frames) {
    if (frames.nextPiece()) {
      toolDelta(plan, Json.object().with("index", index).map(), call(call, ""), frames);
    }
    for (String piece : Pieces.of(call.arguments())) {
      if (frames.nextPiece()) {
        Json function = Json.object().with("arguments", piece);
        toolDelta(
            plan,
            Json.object().with("index", index).map(),
            Json.object().with("function", function.map()),
            frames);
      }
    }
  }

  private static void toolDelta(
      Plan plan, Map<String, @Nullable Object> delta, Json rest, Frames frames) {
    delta.putAll(rest.map());
    frames.data(chunk(plan, Json.object().with("tool_calls", List.of(delta)), null));
  }

  private static void piece(Plan plan, String member, String piece, Frames frames) {
    if (frames.nextPiece()) {
      frames.data(chunk(plan, Json.object().with(member, piece), null));
    }
  }

  private static Json call(Plan.Call call, String arguments) {
    Json function = Json.object().with("name", call.name()).with("arguments", arguments);
    return Json.object()
        .with("id", "call_" + call.id())
        .with("type", "function")
        .with("function", function.map());
  }

  private static Map<String, @Nullable Object> chunk(
      Plan plan, Json delta, @Nullable String reason) {
    Json choice =
        Json.object()
            .with("index", 0)
            .with("delta", delta.map())
            .with("logprobs", null)
            .with("finish_reason", reason);
    return answer(plan, "chat.completion.chunk", List.of(choice.map())).map();
  }

  private static Json answer(Plan plan, String object, List<?> choices) {
    return Json.object()
        .with("id", "chatcmpl-" + plan.id())
        .with("object", object)
        .with("created", CREATED)
        .with("model", plan.model())
        .with("choices", choices);
  }

  private static Map<String, @Nullable Object> usage(Plan plan) {
    Plan.Usage usage = plan.usage();
    return Json.object()
        .with("prompt_tokens", usage.allInput())
        .with("completion_tokens", usage.output())
        .with("total_tokens", usage.allInput() + usage.output())
        .with("prompt_tokens_details", Map.of("cached_tokens", usage.cacheRead()))
        .with("completion_tokens_details", Map.of("reasoning_tokens", usage.thinking()))
        .map();
  }

  private static String reason(Plan plan) {
    return switch (plan.ending()) {
      case DONE, STOP, REFUSED -> "stop";
      case LENGTH -> "length";
      case TOOLS -> "tool_calls";
    };
  }
}
