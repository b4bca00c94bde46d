package dev.octroi.services.language.chat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.language.Event;
import dev.octroi.services.language.EventSequence;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.NestedErrors;
import dev.octroi.services.language.Prompt.Citation;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Protocol.EventReader;
import dev.octroi.services.language.Reply.StopReason;
import dev.octroi.services.language.Reply.Usage;
import dev.octroi.services.language.sse.SseParser.SseFrame;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the stream of an upstream. The protocol tells no beginnings and ends of parts: a part ends
 * where another kind begins. Calls of tools are told by index; hosts that give every call the same
 * index, or none, tell them apart by id. Where a caller asks for several answers, their parts come
 * as they are written: such a stream passes, and is only counted.
 */
final class ChatEventReader implements EventReader {

  private enum Open {
    NOTHING,
    THOUGHTS,
    WORDS,
    REFUSAL,
    CALL
  }

  private final EventSequence sequence = new EventSequence();
  private Open open = Open.NOTHING;
  private boolean started;
  private final Set<Integer> stopped = new HashSet<>();

  /** Answers that say something, or ended where the caller wanted their end. */
  private final Set<Integer> told = new HashSet<>();

  private boolean called;
  private boolean refused;
  private boolean namesThoughts;
  private int answer;
  private int callIndex = -1;
  private String callId = "";

  @Override
  public List<Event> read(SseFrame frame) {
    if (frame.data().equals("[DONE]")) {
      finish();
    } else if (!frame.data().isEmpty()) {
      JsonNode tree = LanguageJson.tree(frame);
      if (!tree.isObject() || ChatReplyReader.repeats(tree.path("choices"))) {
        sequence.fail(EventSequence.broken());
      } else if (tree.path("error").isObject()) {
        sequence.fail(NestedErrors.streamed(tree.path("error")));
      } else {
        chunk(tree);
      }
    }
    return sequence.take();
  }

  @Override
  public List<Event> end() {
    finish();
    return sequence.take();
  }

  /**
   * A stream that never said why the model stopped is not whole, whatever its last words are; nor
   * is one of several answers of which one says nothing.
   */
  private void finish() {
    boolean whole = told.isEmpty() || told.containsAll(stopped);
    if (whole && !stopped.isEmpty() && !sequence.isOver()) {
      sequence.end();
    } else {
      sequence.finish();
    }
  }

  private void chunk(JsonNode tree) {
    if (!started) {
      started = true;
      sequence.add(
          new Event.Started(tree.path("id").asText(""), tree.path("model").asText(""), Usage.NONE));
    }
    tree.path("choices").forEach(this::choice);
    if (tree.path("usage").isObject()) {
      sequence.add(new Event.Used(ChatReplyReader.usage(tree.path("usage"))));
    }
  }

  private void choice(JsonNode choice) {
    int index = choice.path("index").asInt();
    if (index != answer) {
      answer = index;
      open = Open.NOTHING;
      callIndex = -1;
      callId = "";
    }
    delta(choice.path("delta"));
    if (choice.path("finish_reason").asText("").equals(FinishWords.FAILED)) {
      sequence.fail(EventSequence.broken());
      return;
    }
    if (choice.path("finish_reason").isTextual() && stopped.add(index)) {
      sequence.close();
      StopReason reason = FinishWords.read(choice.path("finish_reason").asText(), called, refused);
      if (reason.isCallers()) {
        told.add(index);
      }
      sequence.add(new Event.Stopped(reason, null));
    }
  }

  private void delta(JsonNode delta) {
    String named = ChatReplyReader.namedThoughts(delta);
    namesThoughts |= !named.isEmpty();
    // Details may repeat, once they are whole, what came under a name.
    String thoughts = namesThoughts ? named : ChatReplyReader.detailedThoughts(delta);
    if (!thoughts.isEmpty()) {
      open(Open.THOUGHTS, new Part.Thinking("", null));
      sequence.add(new Event.ThinkingDelta(sequence.index(), thoughts));
    }
    if (delta.path("content").isTextual() && !delta.path("content").asText().isEmpty()) {
      open(Open.WORDS, Part.text(""));
      sequence.add(new Event.TextDelta(sequence.index(), delta.path("content").asText()));
    }
    if (delta.path("refusal").isTextual() && !delta.path("refusal").asText().isEmpty()) {
      refused = true;
      open(Open.REFUSAL, new Part.Refusal(""));
      sequence.add(new Event.TextDelta(sequence.index(), delta.path("refusal").asText()));
    }
    for (Citation citation : ChatReplyReader.citations(delta.path("annotations"))) {
      if (open == Open.WORDS && sequence.isOpen()) {
        sequence.add(new Event.Cited(sequence.index(), citation));
      }
    }
    for (JsonNode call : delta.path("tool_calls")) {
      call(call);
    }
    if (delta.path("function_call").isObject()) {
      call(LanguageJson.object().set("function", delta.path("function_call")));
    }
    if (delta.path("audio").isObject()) {
      told.add(answer);
    }
  }

  private void open(Open kind, Part part) {
    told.add(answer);
    if (open != kind || !sequence.isOpen()) {
      open = kind;
      sequence.start(part);
    }
  }

  private void call(JsonNode call) {
    told.add(answer);
    int index = call.path("index").asInt(callIndex);
    String id = call.path("id").asText("");
    boolean another = index != callIndex || (!id.isEmpty() && !id.equals(callId));
    if (open == Open.CALL && index < callIndex) {
      // a call that was closed goes on: its arguments can no longer be told
      sequence.fail(EventSequence.broken());
      return;
    }
    if (open != Open.CALL || another) {
      called = true;
      open = Open.CALL;
      callIndex = index;
      callId = id;
      Part.Thinking mark = ChatReplyReader.mark(call);
      if (mark != null) {
        sequence.start(mark);
      }
      sequence.start(new Part.ToolUse(id, call.path("function").path("name").asText(""), "", null));
    }
    String custom = call.path("custom").path("input").asText("");
    String json = call.path("function").path("arguments").asText(custom);
    if (!json.isEmpty()) {
      sequence.add(new Event.ArgumentsDelta(sequence.index(), json));
    }
  }
}
