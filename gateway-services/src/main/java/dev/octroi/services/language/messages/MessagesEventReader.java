package dev.octroi.services.language.messages;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.language.Event;
import dev.octroi.services.language.EventSequence;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Protocol.EventReader;
import dev.octroi.services.language.Reply.Usage;
import dev.octroi.services.language.Seal;
import dev.octroi.services.language.sse.SseParser.SseFrame;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the stream of an upstream (specification, Events). */
final class MessagesEventReader implements EventReader {

  private final EventSequence sequence = new EventSequence();
  private final StringBuilder signature = new StringBuilder();
  private Usage usage = Usage.NONE;
  private int blockIndex = -1;
  private long searches;

  @Override
  public List<Event> read(SseFrame frame) {
    return sequence.read(frame, this::told);
  }

  @Override
  public List<Event> end() {
    return sequence.last();
  }

  private void told(JsonNode tree) {
    switch (tree.path("type").asText("")) {
      case "message_start" -> started(tree.path("message"));
      case "content_block_start" -> blockStarted(tree);
      case "content_block_delta" -> {
        if (sequence.isOpen() && tree.path("index").asInt() == blockIndex) {
          delta(tree.path("delta"));
        }
      }
      case "content_block_stop" -> blockEnded();
      case "message_delta" -> messageDelta(tree);
      case "message_stop" -> sequence.end();
      case "error" -> sequence.fail(MessagesErrors.streamed(tree.path("error")));
      case "ping" -> sequence.add(new Event.Ping());
      default -> {
        // kinds that came after this was written say nothing that a caller waits for
      }
    }
  }

  private void started(JsonNode message) {
    usage = MessagesReplies.usage(message.path("usage"), usage, searches);
    sequence.add(
        new Event.Started(message.path("id").asText(""), message.path("model").asText(""), usage));
  }

  private void blockStarted(JsonNode tree) {
    blockIndex = tree.path("index").asInt();
    signature.setLength(0);
    searches += MessagesReplies.isSearch(tree.path("content_block")) ? 1 : 0;
    JsonNode block = tree.path("content_block");
    Part part = MessagesReplies.part(block);
    if (block.path("type").asText("").endsWith("_tool_use")) {
      // Of the vendor's own tools, only where bytes pass; what is written to it counts.
      sequence.start(
          new Part.ToolUse(block.path("id").asText(""), block.path("name").asText(""), "", null));
    } else if (part == null) {
      sequence.close();
    } else {
      sequence.start(part);
    }
  }

  private void delta(JsonNode delta) {
    int index = sequence.index();
    switch (delta.path("type").asText("")) {
      case "text_delta" -> add(delta.path("text"), text -> new Event.TextDelta(index, text));
      case "thinking_delta" ->
          add(delta.path("thinking"), text -> new Event.ThinkingDelta(index, text));
      case "input_json_delta" ->
          add(delta.path("partial_json"), json -> new Event.ArgumentsDelta(index, json));
      case "signature_delta" -> signature.append(delta.path("signature").asText(""));
      case "citations_delta" -> {
        if (delta.path("citation").path("url").isTextual()) {
          sequence.add(new Event.Cited(index, MessagesReplies.citation(delta.path("citation"))));
        }
      }
      default -> {
        // as with kinds of events
      }
    }
  }

  private void add(JsonNode text, Function<String, Event> event) {
    if (!text.asText("").isEmpty()) {
      sequence.add(event.apply(text.asText()));
    }
  }

  private void blockEnded() {
    Seal seal = Seal.read(signature.toString(), Seal.Kind.SIGNATURE, "");
    signature.setLength(0);
    if (seal != null && sequence.isOpen()) {
      sequence.add(new Event.Sealed(sequence.index(), seal));
    }
    sequence.close();
  }

  private void messageDelta(JsonNode tree) {
    JsonNode delta = tree.path("delta");
    if (delta.path("stop_reason").isTextual()) {
      sequence.close();
      @Nullable String stop =
          delta.path("stop_sequence").isTextual() ? delta.path("stop_sequence").asText() : null;
      sequence.add(new Event.Stopped(StopWords.read(delta.path("stop_reason").asText()), stop));
    }
    if (tree.path("usage").path("output_tokens").isNumber()) {
      usage = MessagesReplies.usage(tree.path("usage"), usage, searches);
      sequence.add(new Event.Used(usage));
    }
  }
}
