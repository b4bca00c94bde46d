package dev.octroi.sandbox.language;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The events of one stream of the responses protocol, numbered as they are sent. */
final class ResponseEvents {

  private final Frames frames;
  private int sequence;

  ResponseEvents(Frames frames) {
    this.frames = frames;
  }

  void send(String type, Json members) {
    Map<String, @Nullable Object> event =
        Json.object().with("type", type).with("sequence_number", sequence++).map();
    event.putAll(members.map());
    frames.event(type, event);
  }

  void item(Plan plan, int index) {
    Plan.Step step = plan.steps().get(index);
    send("response.output_item.added", output(index).with("item", begun(plan, index)));
    if (step instanceof Plan.Think think) {
      thinking(plan, index, think);
    } else if (step instanceof Plan.Say say) {
      text(plan, index, say);
    } else if (step instanceof Plan.Call call) {
      arguments(plan, index, call);
    }
    Map<String, @Nullable Object> item = ResponseObject.item(plan, index, "completed");
    send("response.output_item.done", output(index).with("item", item));
  }

  void failed(Plan plan, Asked asked) {
    Map<String, @Nullable Object> response =
        ResponseObject.of(plan, asked, "failed", List.of(), null);
    response.put("error", Map.of("code", "server_error", "message", "The server had an error"));
    send("response.failed", Json.object().with("response", response));
  }

  private static Map<String, @Nullable Object> begun(Plan plan, int index) {
    Plan.Step step = plan.steps().get(index);
    if (step instanceof Plan.Call call) {
      return ResponseObject.call(plan, index, call, "", "in_progress");
    }
    if (step instanceof Plan.Think) {
      return Json.object()
          .with("type", "reasoning")
          .with("id", ResponseObject.id(plan, index))
          .with("summary", List.of())
          .map();
    }
    return ResponseObject.message(plan, index, List.of(), "in_progress");
  }

  private void thinking(Plan plan, int index, Plan.Think think) {
    Map<String, Object> empty = Map.of("type", "summary_text", "text", "");
    send("response.reasoning_summary_part.added", summary(plan, index).with("part", empty));
    for (String piece : think.pieces()) {
      if (frames.nextPiece()) {
        send("response.reasoning_summary_text.delta", summary(plan, index).with("delta", piece));
      }
    }
    send("response.reasoning_summary_text.done", summary(plan, index).with("text", think.text()));
    Map<String, Object> part = Map.of("type", "summary_text", "text", think.text());
    send("response.reasoning_summary_part.done", summary(plan, index).with("part", part));
  }

  private void text(Plan plan, int index, Plan.Say say) {
    boolean refused = plan.ending() == Plan.Ending.REFUSED;
    String kind = refused ? "response.refusal" : "response.output_text";
    send(
        "response.content_part.added",
        content(plan, index).with("part", ResponseObject.part(plan, "")));
    for (String piece : say.pieces()) {
      if (frames.nextPiece()) {
        send(kind + ".delta", logged(content(plan, index).with("delta", piece), refused));
      }
    }
    String member = refused ? "refusal" : "text";
    send(kind + ".done", logged(content(plan, index).with(member, say.text()), refused));
    send(
        "response.content_part.done",
        content(plan, index).with("part", ResponseObject.part(plan, say.text())));
  }

  private static Json logged(Json event, boolean refused) {
    return refused ? event : event.with("logprobs", List.of());
  }

  private void arguments(Plan plan, int index, Plan.Call call) {
    for (String piece : Pieces.of(call.arguments())) {
      if (frames.nextPiece()) {
        send("response.function_call_arguments.delta", item(plan, index, "delta", piece));
      }
    }
    send(
        "response.function_call_arguments.done",
        item(plan, index, "arguments", call.arguments()).with("name", call.name()));
  }

  private static Json output(int index) {
    return Json.object().with("output_index", index);
  }

  private static Json item(Plan plan, int index, String member, String value) {
    return Json.object()
        .with("item_id", ResponseObject.id(plan, index))
        .with("output_index", index)
        .with(member, value);
  }

  private static Json content(Plan plan, int index) {
    return Json.object()
        .with("item_id", ResponseObject.id(plan, index))
        .with("output_index", index)
        .with("content_index", 0);
  }

  private static Json summary(Plan plan, int index) {
    return Json.object()
        .with("item_id", ResponseObject.id(plan, index))
        .with("output_index", index)
        .with("summary_index", 0);
  }
}
