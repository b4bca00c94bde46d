package dev.octroi.services.language.messages;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.Event;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Protocol.Asked;
import dev.octroi.services.language.Protocol.EventWriter;
import dev.octroi.services.language.Reply.StopReason;
import dev.octroi.services.language.Reply.Usage;
import dev.octroi.services.language.Seal;
import dev.octroi.services.language.sse.SseOut;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes a stream for a caller. Why the model stopped and what it used leave in one event, so they
 * are held until the end, when both are known whatever order they came in.
 */
final class MessagesEventWriter implements EventWriter, Event.Visitor {

  private final SseOut out = new SseOut();
  private final Asked asked;
  private Usage usage = Usage.NONE;
  private StopReason stop = StopReason.END_TURN;
  private @Nullable String stopSequence;

  MessagesEventWriter(Asked asked) {
    this.asked = asked;
  }

  @Override
  public byte[] write(Event event) {
    event.accept(this);
    return out.take();
  }

  @Override
  public void started(Event.Started event) {
    usage = event.usage();
    ObjectNode message = MessagesReplies.message(event.id(), asked);
    message.putArray("content");
    message.putNull("stop_reason").putNull("stop_sequence");
    message.set("usage", MessagesReplies.usage(usage));
    ObjectNode tree = typed("message_start");
    tree.set("message", message);
    tell(tree);
  }

  @Override
  public void partStarted(Event.PartStarted event) {
    ObjectNode tree = typed("content_block_start").put("index", event.index());
    tree.set("content_block", beginning(event.part()));
    tell(tree);
    if (event.part() instanceof Part.ToolUse use && !use.arguments().isEmpty()) {
      delta(event.index(), "input_json_delta", "partial_json", use.arguments());
    }
  }

  /** Readers of the protocol take arguments from deltas only. */
  private static ObjectNode beginning(Part part) {
    Part bare =
        part instanceof Part.ToolUse use ? new Part.ToolUse(use.id(), use.name(), "", null) : part;
    return Objects.requireNonNull(MessagesReplies.block(bare), "a part that answers hold");
  }

  @Override
  public void text(Event.TextDelta event) {
    delta(event.index(), "text_delta", "text", event.text());
  }

  @Override
  public void thinking(Event.ThinkingDelta event) {
    delta(event.index(), "thinking_delta", "thinking", event.text());
  }

  @Override
  public void seal(Event.Sealed event) {
    delta(event.index(), "signature_delta", "signature", event.seal().in(Seal.Kind.SIGNATURE));
  }

  @Override
  public void arguments(Event.ArgumentsDelta event) {
    delta(event.index(), "input_json_delta", "partial_json", event.json());
  }

  @Override
  public void cited(Event.Cited event) {
    ObjectNode tree = typed("content_block_delta").put("index", event.index());
    tree.putObject("delta")
        .put("type", "citations_delta")
        .set("citation", MessagesReplies.citation(event.citation()));
    tell(tree);
  }

  private void delta(int index, String type, String name, String text) {
    ObjectNode tree = typed("content_block_delta").put("index", index);
    tree.putObject("delta").put("type", type).put(name, text);
    tell(tree);
  }

  @Override
  public void partEnded(Event.PartEnded event) {
    tell(typed("content_block_stop").put("index", event.index()));
  }

  @Override
  public void used(Event.Used event) {
    usage = event.usage();
  }

  @Override
  public void stopped(Event.Stopped event) {
    stop = event.reason();
    stopSequence = event.sequence();
  }

  @Override
  public void ended(Event.Ended event) {
    ObjectNode tree = typed("message_delta");
    tree.putObject("delta")
        .put("stop_reason", StopWords.write(stop))
        .put("stop_sequence", stopSequence);
    tree.set("usage", MessagesReplies.usage(usage));
    tell(tree);
    tell(typed("message_stop"));
  }

  @Override
  public void failed(Event.Failed event) {
    tell(MessagesErrors.tree(event.problem()));
  }

  @Override
  public void ping(Event.Ping event) {
    tell(typed("ping"));
  }

  private static ObjectNode typed(String type) {
    return LanguageJson.object().put("type", type);
  }

  private void tell(ObjectNode tree) {
    out.event(tree.path("type").asText(), LanguageJson.bytes(tree));
  }
}
