package dev.octroi.services.language.chat;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.Event;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.NestedErrors;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Protocol.Asked;
import dev.octroi.services.language.Protocol.EventWriter;
import dev.octroi.services.language.Reply.Usage;
import dev.octroi.services.language.Seal;
import dev.octroi.services.language.sse.SseOut;
import org.jspecify.annotations.Nullable;

/** Writes a stream of chunks for a caller. */
final class ChatEventWriter implements EventWriter, Event.Visitor {

  private static final byte[] DONE = "[DONE]".getBytes(US_ASCII);

  private final SseOut out = new SseOut();
  private final Asked asked;
  private final StringBuilder thoughts = new StringBuilder();
  private String id = "";
  private Usage usage = Usage.NONE;
  private @Nullable Seal seal;
  private boolean refusing;
  private boolean bareCall;
  private boolean refused;
  private int call = -1;

  ChatEventWriter(Asked asked) {
    this.asked = asked;
  }

  @Override
  public byte[] write(Event event) {
    event.accept(this);
    return out.take();
  }

  @Override
  public void started(Event.Started event) {
    id = event.id();
    usage = event.usage();
    delta(LanguageJson.object().put("role", "assistant").put("content", ""));
  }

  @Override
  public void partStarted(Event.PartStarted event) {
    refusing = event.part() instanceof Part.Refusal;
    bareCall = event.part() instanceof Part.ToolUse use && use.arguments().isEmpty();
    if (event.part() instanceof Part.Text text) {
      words(text.text());
    } else if (event.part() instanceof Part.Refusal refusal) {
      refused = true;
      words(refusal.text());
    } else if (event.part() instanceof Part.Thinking thinking) {
      thoughts.setLength(0);
      seal = thinking.seal();
      thoughts(thinking.text());
    } else if (event.part() instanceof Part.ToolUse called) {
      call++;
      ObjectNode delta = LanguageJson.object();
      ObjectNode told = delta.putArray("tool_calls").addObject().put("index", call);
      told.put("id", called.id()).put("type", "function");
      told.putObject("function").put("name", called.name()).put("arguments", called.arguments());
      delta(delta);
    }
  }

  @Override
  public void text(Event.TextDelta event) {
    words(event.text());
  }

  private void words(String text) {
    if (!text.isEmpty()) {
      delta(LanguageJson.object().put(refusing ? "refusal" : "content", text));
    }
  }

  @Override
  public void thinking(Event.ThinkingDelta event) {
    thoughts(event.text());
  }

  private void thoughts(String text) {
    if (!text.isEmpty()) {
      thoughts.append(text);
      delta(LanguageJson.object().put("reasoning_content", text));
    }
  }

  @Override
  public void seal(Event.Sealed event) {
    seal = event.seal();
  }

  @Override
  public void arguments(Event.ArgumentsDelta event) {
    arguments(event.json());
  }

  private void arguments(String json) {
    bareCall = false;
    ObjectNode delta = LanguageJson.object();
    delta
        .putArray("tool_calls")
        .addObject()
        .put("index", call)
        .putObject("function")
        .put("arguments", json);
    delta(delta);
  }

  @Override
  public void cited(Event.Cited event) {
    ObjectNode delta = LanguageJson.object();
    delta.putArray("annotations").add(ChatReplyWriter.annotation(event.citation()));
    delta(delta);
  }

  /**
   * Sealed thoughts are repeated whole, so that a caller can hand them back as they came. Callers
   * parse arguments, and nothing is no JSON.
   */
  @Override
  public void partEnded(Event.PartEnded event) {
    if (bareCall) {
      arguments("{}");
    }
    if (seal != null) {
      ObjectNode delta = LanguageJson.object();
      delta.putArray("reasoning_details").add(ChatReplyWriter.detail(thoughts.toString(), seal));
      delta(delta);
      seal = null;
    }
  }

  @Override
  public void used(Event.Used event) {
    usage = event.usage();
  }

  @Override
  public void stopped(Event.Stopped event) {
    chunk(LanguageJson.object(), FinishWords.write(event.reason(), refused));
  }

  @Override
  public void ended(Event.Ended event) {
    if (asked.prompt().streaming().usage()) {
      ObjectNode tree = ChatReplyWriter.completion("chat.completion.chunk", id, asked);
      tree.putArray("choices");
      tree.set("usage", ChatReplyWriter.usage(usage));
      out.data(LanguageJson.bytes(tree));
    }
    out.data(DONE);
  }

  @Override
  public void failed(Event.Failed event) {
    out.data(NestedErrors.write(event.problem()));
  }

  @Override
  public void ping(Event.Ping event) {
    out.ping();
  }

  private void delta(ObjectNode delta) {
    chunk(delta, null);
  }

  private void chunk(ObjectNode delta, @Nullable String finish) {
    ObjectNode tree = ChatReplyWriter.completion("chat.completion.chunk", id, asked);
    ObjectNode choice = tree.putArray("choices").addObject().put("index", 0);
    choice.set("delta", delta);
    choice.putNull("logprobs").put("finish_reason", finish);
    if (asked.prompt().streaming().usage()) {
      tree.putNull("usage");
    }
    out.data(LanguageJson.bytes(tree));
  }
}
