package dev.octroi.sandbox.language;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.contract.Violation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The messages protocol. */
final class MessagesWire implements Wire {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Override
  public String path() {
    return "/v1/messages";
  }

  @Override
  public String idHeader() {
    return "request-id";
  }

  @Override
  public Map<String, @Nullable Object> counted(Plan plan) {
    return Json.object().with("input_tokens", plan.usage().allInput()).map();
  }

  @Override
  public VendorRefusal refusal(Violation violation) {
    String message =
        switch (violation.kind()) {
          case UNKNOWN -> "Extra inputs are not permitted";
          case MISSING -> "Field required";
          default -> "Input " + violation.message();
        };
    String name = violation.dotted();
    return new VendorRefusal(
        400, name, "invalid_request", name.isEmpty() ? message : name + ": " + message);
  }

  @Override
  public Asked read(JsonNode body) {
    return MessagesReader.read(body);
  }

  @Override
  public Map<String, @Nullable Object> whole(Plan plan, Asked asked) {
    return message(plan, plan.steps().stream().map(MessagesWire::block).toList())
        .with("stop_reason", reason(plan))
        .with("stop_sequence", plan.stop().isEmpty() ? null : plan.stop())
        .with("usage", usage(plan, plan.usage().output()))
        .map();
  }

  @Override
  public void stream(Plan plan, Asked asked, Frames frames) {
    Json begun =
        message(plan, List.of())
            .with("stop_reason", null)
            .with("stop_sequence", null)
            .with("usage", usage(plan, 1));
    event(frames, Json.object().with("type", "message_start").with("message", begun.map()));
    for (int index = 0; index < plan.steps().size(); index++) {
      block(plan.steps().get(index), index, frames);
      if (index == 0) {
        event(frames, Json.object().with("type", "ping"));
      }
    }
    if (frames.failed()) {
      frames.failure(() -> frames.event("error", error(529, "", "overloaded", "Overloaded")));
      return;
    }
    Json delta =
        Json.object()
            .with("stop_reason", reason(plan))
            .with("stop_sequence", plan.stop().isEmpty() ? null : plan.stop());
    Json usage = Json.object().with("output_tokens", plan.usage().output());
    event(
        frames,
        Json.object()
            .with("type", "message_delta")
            .with("delta", delta.map())
            .with("usage", usage.map()));
    event(frames, Json.object().with("type", "message_stop"));
  }

  @Override
  public Map<String, @Nullable Object> error(
      int status, String parameter, String code, String message) {
    Json error = Json.object().with("type", type(status)).with("message", message);
    return Json.object()
        .with("type", "error")
        .with("error", error.map())
        .with("request_id", "req_" + Ids.of("error", message))
        .map();
  }

  private static void block(Plan.Step step, int index, Frames frames) {
    Json empty;
    if (step instanceof Plan.Think) {
      empty = Json.object().with("type", "thinking").with("thinking", "").with("signature", "");
    } else if (step instanceof Plan.Call call) {
      empty = called(call).with("input", Map.of());
    } else {
      empty = Json.object().with("type", "text").with("text", "");
    }
    event(frames, at("content_block_start", index).with("content_block", empty.map()));
    deltas(step, index, frames);
    event(frames, at("content_block_stop", index));
  }

  private static void deltas(Plan.Step step, int index, Frames frames) {
    if (step instanceof Plan.Think think) {
      think.pieces().forEach(piece -> delta(frames, index, "thinking_delta", "thinking", piece));
      delta(frames, index, "signature_delta", "signature", Ids.of("signature", think.text()));
    } else if (step instanceof Plan.Say say) {
      say.pieces().forEach(piece -> delta(frames, index, "text_delta", "text", piece));
    } else if (step instanceof Plan.Call call) {
      Pieces.of(call.arguments())
          .forEach(piece -> delta(frames, index, "input_json_delta", "partial_json", piece));
    }
  }

  private static void delta(Frames frames, int index, String type, String member, String piece) {
    if (frames.nextPiece()) {
      Json delta = Json.object().with("type", type).with(member, piece);
      event(frames, at("content_block_delta", index).with("delta", delta.map()));
    }
  }

  private static Json at(String type, int index) {
    return Json.object().with("type", type).with("index", index);
  }

  private static void event(Frames frames, Json data) {
    frames.event(String.valueOf(data.map().get("type")), data.map());
  }

  private static Json message(Plan plan, List<?> content) {
    return Json.object()
        .with("id", "msg_" + plan.id())
        .with("type", "message")
        .with("role", "assistant")
        .with("model", plan.model())
        .with("content", content);
  }

  private static Map<String, @Nullable Object> block(Plan.Step step) {
    if (step instanceof Plan.Think think) {
      return Json.object()
          .with("type", "thinking")
          .with("thinking", think.text())
          .with("signature", Ids.of("signature", think.text()))
          .map();
    }
    if (step instanceof Plan.Call call) {
      return called(call).with("input", tree(call.arguments())).map();
    }
    return Json.object().with("type", "text").with("text", ((Plan.Say) step).text()).map();
  }

  private static Json called(Plan.Call call) {
    return Json.object()
        .with("type", "tool_use")
        .with("id", "toolu_" + call.id())
        .with("name", call.name());
  }

  private static Map<String, @Nullable Object> usage(Plan plan, long output) {
    return Json.object()
        .with("input_tokens", plan.usage().input())
        .with("cache_creation_input_tokens", plan.usage().cacheWrite())
        .with(
            "cache_creation",
            Map.of(
                "ephemeral_5m_input_tokens", plan.usage().cached().minutes(),
                "ephemeral_1h_input_tokens", plan.usage().cached().hour()))
        .with("cache_read_input_tokens", plan.usage().cacheRead())
        .with("output_tokens", output)
        .with("service_tier", "standard")
        .map();
  }

  private static String reason(Plan plan) {
    return switch (plan.ending()) {
      case DONE -> "end_turn";
      case LENGTH -> "max_tokens";
      case STOP -> "stop_sequence";
      case TOOLS -> "tool_use";
      case REFUSED -> "refusal";
    };
  }

  private static String type(int status) {
    return switch (status) {
      case 401 -> "authentication_error";
      case 403 -> "permission_error";
      case 404 -> "not_found_error";
      case 413 -> "request_too_large";
      case 429 -> "rate_limit_error";
      case 504 -> "timeout_error";
      case 529 -> "overloaded_error";
      default -> status < 500 ? "invalid_request_error" : "api_error";
    };
  }

  private static JsonNode tree(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
