package dev.octroi.services.language.responses;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.Event;
import dev.octroi.services.language.EventSequence;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.PromptLimits;
import dev.octroi.services.language.Protocol.Asked;
import dev.octroi.services.language.Protocol.EventWriter;
import dev.octroi.services.language.ReplyBuilder;
import dev.octroi.services.language.sse.SseOut;

/**
 * Writes a stream for a caller. The protocol repeats every part when it ends and the whole answer
 * at last, so the answer is kept, up to {@link PromptLimits#KEPT_ANSWER}.
 */
final class ResponsesEventWriter implements EventWriter, Event.Visitor {

  private final SseOut out = new SseOut();
  private final ReplyBuilder reply = new ReplyBuilder();
  private final ResponseObject object;
  private OutputItem item = new OutputItem("", 0);
  private Part open = Part.text("");
  private long sequenceNumber;
  private int annotations;
  private boolean summary;
  private boolean begun;
  private boolean over;

  ResponsesEventWriter(Asked asked) {
    this.object = new ResponseObject(asked);
  }

  @Override
  public byte[] write(Event event) {
    if (!over) {
      event.accept(reply);
      event.accept(this);
      if (reply.kept() > PromptLimits.KEPT_ANSWER && !over) {
        failed(new Event.Failed(EventSequence.broken()));
      }
    }
    return out.take();
  }

  @Override
  public void started(Event.Started event) {
    begun = true;
    tell(of("response.created").set("response", object.begun(event.id())));
    tell(of("response.in_progress").set("response", object.begun(event.id())));
  }

  @Override
  public void partStarted(Event.PartStarted event) {
    open = event.part();
    annotations = 0;
    summary = false;
    item = OutputItem.of(reply.reply().id(), event.index(), open);
    tell(
        of("response.output_item.added")
            .put("output_index", item.index())
            .set("item", item.begun(open)));
    if (open instanceof Part.Thinking thinking) {
      thoughts(thinking.text());
    } else if (open instanceof Part.ToolUse use) {
      arguments(use.arguments());
    } else {
      boolean refusal = open instanceof Part.Refusal;
      Part empty = refusal ? new Part.Refusal("") : Part.text("");
      tell(content("response.content_part.added").set("part", OutputItem.content(empty)));
      words(refusal ? ((Part.Refusal) open).text() : ((Part.Text) open).text());
    }
  }

  @Override
  public void text(Event.TextDelta event) {
    words(event.text());
  }

  private void words(String text) {
    if (text.isEmpty()) {
      return;
    }
    if (open instanceof Part.Refusal) {
      tell(content("response.refusal.delta").put("delta", text));
    } else {
      ObjectNode tree = content("response.output_text.delta").put("delta", text);
      tree.putArray("logprobs");
      tell(tree);
    }
  }

  @Override
  public void thinking(Event.ThinkingDelta event) {
    thoughts(event.text());
  }

  private void thoughts(String text) {
    if (text.isEmpty()) {
      return;
    }
    if (!summary) {
      summary = true;
      tell(summary("response.reasoning_summary_part.added").set("part", OutputItem.summary("")));
    }
    tell(summary("response.reasoning_summary_text.delta").put("delta", text));
  }

  /** The seal leaves with the item, when that is done. */
  @Override
  public void seal(Event.Sealed event) {}

  @Override
  public void arguments(Event.ArgumentsDelta event) {
    arguments(event.json());
  }

  private void arguments(String json) {
    if (!json.isEmpty()) {
      tell(ofItem("response.function_call_arguments.delta").put("delta", json));
    }
  }

  @Override
  public void cited(Event.Cited event) {
    tell(
        content("response.output_text.annotation.added")
            .put("annotation_index", annotations++)
            .set("annotation", OutputItem.annotation(event.citation())));
  }

  @Override
  public void partEnded(Event.PartEnded event) {
    Part part = reply.lastPart();
    if (part instanceof Part.ToolUse use) {
      tell(
          ofItem("response.function_call_arguments.done")
              .put("name", use.name())
              .put("arguments", OutputItem.arguments(use)));
    } else if (part instanceof Part.Thinking thinking) {
      thoughtsDone(thinking.text());
    } else {
      wordsDone(part);
    }
    tell(
        of("response.output_item.done")
            .put("output_index", item.index())
            .set("item", item.whole(part)));
  }

  private void wordsDone(Part part) {
    ObjectNode content = OutputItem.content(part);
    if (part instanceof Part.Refusal refusal) {
      tell(content("response.refusal.done").put("refusal", refusal.text()));
    } else {
      ObjectNode tree = content("response.output_text.done");
      tree.set("text", content.path("text"));
      tree.putArray("logprobs");
      tell(tree);
    }
    tell(content("response.content_part.done").set("part", content));
  }

  private void thoughtsDone(String text) {
    if (summary) {
      tell(summary("response.reasoning_summary_text.done").put("text", text));
      tell(summary("response.reasoning_summary_part.done").set("part", OutputItem.summary(text)));
    }
  }

  /** Usage and the reason to stop leave with the whole answer. */
  @Override
  public void used(Event.Used event) {}

  @Override
  public void stopped(Event.Stopped event) {}

  @Override
  public void ended(Event.Ended event) {
    over = true;
    ObjectNode response = object.ended(reply.reply());
    boolean complete = response.path("status").asText().equals("completed");
    tell(of(complete ? "response.completed" : "response.incomplete").set("response", response));
  }

  /** An answer that was begun fails as an answer; before that there is only an error. */
  @Override
  public void failed(Event.Failed event) {
    over = true;
    if (!begun) {
      Problem problem = event.problem();
      tell(
          of("error")
              .put("code", problem.code())
              .put("message", problem.message())
              .put("param", problem.param()));
      return;
    }
    tell(of("response.failed").set("response", object.failed(reply.reply(), event.problem())));
  }

  @Override
  public void ping(Event.Ping event) {
    out.ping();
  }

  private static ObjectNode of(String type) {
    return LanguageJson.object().put("type", type);
  }

  private ObjectNode ofItem(String type) {
    return of(type).put("item_id", item.id()).put("output_index", item.index());
  }

  private ObjectNode content(String type) {
    return ofItem(type).put("content_index", 0);
  }

  private ObjectNode summary(String type) {
    return ofItem(type).put("summary_index", 0);
  }

  private void tell(ObjectNode tree) {
    tree.put("sequence_number", sequenceNumber++);
    out.event(tree.path("type").asText(), LanguageJson.bytes(tree));
  }
}
