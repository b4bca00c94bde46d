package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The object of the responses protocol, and its items. */
final class ResponseObject {

  private static final long CREATED = 1_781_000_000L;

  private ResponseObject() {}

  static Map<String, @Nullable Object> ended(Plan plan, Asked asked) {
    String status = plan.ending() == Plan.Ending.LENGTH ? "incomplete" : "completed";
    List<Map<String, @Nullable Object>> items =
        IntStream.range(0, plan.steps().size())
            .mapToObj(index -> item(plan, index, "completed"))
            .toList();
    return of(plan, asked, status, items, usage(plan));
  }

  static Map<String, @Nullable Object> of(
      Plan plan,
      Asked asked,
      String status,
      List<?> output,
      @Nullable Map<String, @Nullable Object> usage) {
    JsonNode body = asked.body();
    boolean incomplete = status.equals("incomplete");
    return Json.object()
        .with("id", "resp_" + plan.id())
        .with("object", "response")
        .with("created_at", CREATED)
        .with("status", status)
        .with("error", null)
        .with("incomplete_details", incomplete ? Map.of("reason", "max_output_tokens") : null)
        .with("instructions", body.get("instructions"))
        .with("max_output_tokens", body.get("max_output_tokens"))
        .with("model", plan.model())
        .with("output", output)
        .with("parallel_tool_calls", asked.parallel())
        .with("previous_response_id", null)
        .with("store", false)
        .with("temperature", body.path("temperature").asDouble(1))
        .with(
            "text", body.has("text") ? body.get("text") : Map.of("format", Map.of("type", "text")))
        .with("tool_choice", body.has("tool_choice") ? body.get("tool_choice") : "auto")
        .with("tools", body.has("tools") ? body.get("tools") : List.of())
        .with("top_p", body.path("top_p").asDouble(1))
        .with("truncation", "disabled")
        .with("usage", usage)
        .with("user", null)
        .with("metadata", body.has("metadata") ? body.get("metadata") : Map.of())
        .map();
  }

  /** One item, whole. */
  static Map<String, @Nullable Object> item(Plan plan, int index, String status) {
    Plan.Step step = plan.steps().get(index);
    if (step instanceof Plan.Think think) {
      return Json.object()
          .with("type", "reasoning")
          .with("id", id(plan, index))
          .with("summary", List.of(Map.of("type", "summary_text", "text", think.text())))
          .with("encrypted_content", Ids.of("encrypted", think.text()))
          .map();
    }
    if (step instanceof Plan.Call call) {
      return call(plan, index, call, call.arguments(), status);
    }
    return message(plan, index, List.of(part(plan, ((Plan.Say) step).text())), status);
  }

  static Map<String, @Nullable Object> message(
      Plan plan, int index, List<?> content, String status) {
    return Json.object()
        .with("type", "message")
        .with("id", id(plan, index))
        .with("status", status)
        .with("role", "assistant")
        .with("content", content)
        .map();
  }

  static Map<String, @Nullable Object> call(
      Plan plan, int index, Plan.Call call, String arguments, String status) {
    return Json.object()
        .with("type", "function_call")
        .with("id", id(plan, index))
        .with("status", status)
        .with("call_id", "call_" + call.id())
        .with("name", call.name())
        .with("arguments", arguments)
        .map();
  }

  static Map<String, @Nullable Object> part(Plan plan, String text) {
    return plan.ending() == Plan.Ending.REFUSED
        ? Json.object().with("type", "refusal").with("refusal", text).map()
        : Json.object()
            .with("type", "output_text")
            .with("text", text)
            .with("annotations", List.of())
            .with("logprobs", List.of())
            .map();
  }

  static String id(Plan plan, int index) {
    Plan.Step step = plan.steps().get(index);
    String prefix = step instanceof Plan.Think ? "rs_" : step instanceof Plan.Call ? "fc_" : "msg_";
    return prefix + Ids.of("item" + index, plan.id());
  }

  private static Map<String, @Nullable Object> usage(Plan plan) {
    Plan.Usage usage = plan.usage();
    return Json.object()
        .with("input_tokens", usage.allInput())
        .with("input_tokens_details", Map.of("cached_tokens", usage.cacheRead()))
        .with("output_tokens", usage.output())
        .with("output_tokens_details", Map.of("reasoning_tokens", usage.thinking()))
        .with("total_tokens", usage.allInput() + usage.output())
        .map();
  }
}
