package dev.octroi.services.language.responses;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.language.Event;
import dev.octroi.services.language.EventSequence;
import dev.octroi.services.language.NestedErrors;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Protocol.EventReader;
import dev.octroi.services.language.Reply.Usage;
import dev.octroi.services.language.Seal;
import dev.octroi.services.language.sse.SseParser.SseFrame;
import java.util.List;

/** Reads the stream of an upstream. */
final class ResponsesEventReader implements EventReader {

  private final EventSequence sequence = new EventSequence();
  private boolean started;
  private boolean called;
  private boolean refused;
  private boolean told;
  private boolean summarised;

  @Override
  public List<Event> read(SseFrame frame) {
    return frame.data().equals("[DONE]") ? List.of() : sequence.read(frame, this::told);
  }

  @Override
  public List<Event> end() {
    return sequence.last();
  }

  private void told(JsonNode tree) {
    switch (tree.path("type").asText("")) {
      case "response.created", "response.in_progress" -> started(tree.path("response"));
      case "response.output_item.added" -> itemAdded(tree.path("item"));
      case "response.content_part.added" -> contentAdded(tree.path("part"));
      case "response.output_text.delta" -> text(tree.path("delta"), Part.text(""));
      case "response.refusal.delta" -> refused(tree.path("delta"));
      case "response.output_text.annotation.added" -> cited(tree.path("annotation"));
      case "response.content_part.done" -> sequence.close();
      case "response.reasoning_summary_part.added" -> summaryAdded();
      case "response.reasoning_summary_text.delta", "response.reasoning_text.delta" ->
          thoughts(tree.path("delta").asText(""));
      case "response.function_call_arguments.delta",
          "response.custom_tool_call_input.delta",
          "response.mcp_call_arguments.delta",
          "response.code_interpreter_call_code.delta" ->
          arguments(tree.path("delta"));
      case "response.function_call_arguments.done" -> wholeArguments(tree.path("arguments"));
      case "response.output_item.done" -> itemDone(tree.path("item"));
      case "response.completed", "response.incomplete" -> ended(tree.path("response"));
      case "response.failed" ->
          sequence.fail(NestedErrors.streamed(tree.path("response").path("error")));
      case "error" ->
          sequence.fail(
              NestedErrors.streamed(tree.path("error").isObject() ? tree.path("error") : tree));
      default -> {
        // what repeats the deltas, and what came after this was written
      }
    }
  }

  private void started(JsonNode response) {
    if (!started) {
      started = true;
      sequence.add(
          new Event.Started(
              response.path("id").asText(""), response.path("model").asText(""), Usage.NONE));
    }
  }

  private void itemAdded(JsonNode item) {
    told = false;
    summarised = false;
    sequence.close();
    switch (item.path("type").asText("")) {
      case "function_call" -> {
        called = true;
        sequence.start(ResponsesReplyReader.call(item, ""));
        arguments(item.path("arguments"));
      }
      case "message", "reasoning", "" -> {
        // messages begin with their content, reasoning with its first words or its seal
      }
      default ->
          // of the vendor's own tools, only where bytes pass; what is written to them counts
          sequence.start(ResponsesReplyReader.call(item, ""));
    }
  }

  private void contentAdded(JsonNode part) {
    switch (part.path("type").asText("")) {
      case "output_text" -> {
        sequence.start(Part.text(""));
        text(part.path("text"), Part.text(""));
      }
      case "refusal" -> {
        sequence.start(new Part.Refusal(""));
        refused(part.path("refusal"));
      }
      default -> {
        // the thoughts of open models come as deltas of their own
      }
    }
  }

  private void refused(JsonNode delta) {
    refused = true;
    text(delta, new Part.Refusal(""));
  }

  /** Some hosts tell no beginning of a part. */
  private void text(JsonNode delta, Part part) {
    if (!delta.asText("").isEmpty()) {
      if (!sequence.isOpen()) {
        sequence.start(part);
      }
      sequence.add(new Event.TextDelta(sequence.index(), delta.asText()));
    }
  }

  private void cited(JsonNode annotation) {
    if (sequence.isOpen() && annotation.path("url").isTextual()) {
      sequence.add(new Event.Cited(sequence.index(), ResponsesReplyReader.citation(annotation)));
    }
  }

  private void summaryAdded() {
    if (summarised) {
      thoughts("\n\n");
    }
    summarised = true;
  }

  private void thoughts(String text) {
    if (text.isEmpty()) {
      return;
    }
    if (!sequence.isOpen()) {
      sequence.start(new Part.Thinking("", null));
    }
    sequence.add(new Event.ThinkingDelta(sequence.index(), text));
  }

  private void arguments(JsonNode delta) {
    if (sequence.isOpen() && !delta.asText("").isEmpty()) {
      told = true;
      sequence.add(new Event.ArgumentsDelta(sequence.index(), delta.asText()));
    }
  }

  /** Some hosts tell arguments only when they are whole. */
  private void wholeArguments(JsonNode whole) {
    if (!told) {
      arguments(whole);
    }
  }

  private void itemDone(JsonNode item) {
    switch (item.path("type").asText("")) {
      case "function_call" -> wholeArguments(item.path("arguments"));
      case "reasoning" -> {
        Seal seal = ResponsesReplyReader.seal(item);
        if (seal != null) {
          if (!sequence.isOpen()) {
            sequence.start(new Part.Thinking("", null));
          }
          sequence.add(new Event.Sealed(sequence.index(), seal));
        }
      }
      default -> {
        // its parts are closed
      }
    }
    sequence.close();
  }

  private void ended(JsonNode response) {
    if (ResponsesReplyReader.UNDONE.contains(response.path("status").asText(""))) {
      sequence.fail(EventSequence.broken());
      return;
    }
    started(response);
    sequence.close();
    sequence.add(new Event.Stopped(ResponsesReplyReader.stop(response, called, refused), null));
    if (response.path("usage").isObject()) {
      sequence.add(new Event.Used(ResponsesReplyReader.usage(response.path("usage"))));
    }
    sequence.end();
  }
}
