package dev.octroi.services.language;

import dev.octroi.services.language.Prompt.Citation;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Reply.StopReason;
import dev.octroi.services.language.Reply.Usage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The whole answer that a stream told, for those who must repeat it at the end. For one thread. */
public final class ReplyBuilder implements Event.Visitor {

  private String id = "";
  private String model = "";
  private Usage usage = Usage.NONE;
  private StopReason stop = StopReason.END_TURN;
  private @Nullable String stopSequence;
  private final List<Part> parts = new ArrayList<>();
  private @Nullable Part open;
  private final StringBuilder words = new StringBuilder();
  private final List<Citation> citations = new ArrayList<>();
  private @Nullable Seal seal;
  private long kept;

  /** The answer as far as it was told; an open part is left out. */
  public Reply reply() {
    return new Reply(id, model, parts, stop, stopSequence, usage);
  }

  /** The number of characters that are held. */
  public long kept() {
    return kept;
  }

  /** The part that ended last. */
  public Part lastPart() {
    return parts.get(parts.size() - 1);
  }

  @Override
  public void started(Event.Started event) {
    id = event.id();
    model = event.model();
    usage = event.usage();
  }

  @Override
  public void partStarted(Event.PartStarted event) {
    open = event.part();
    words.setLength(0);
    citations.clear();
    seal = null;
    if (event.part() instanceof Part.Text text) {
      keep(text.text());
      citations.addAll(text.citations());
    } else if (event.part() instanceof Part.Thinking thinking) {
      keep(thinking.text());
      seal = thinking.seal();
    } else if (event.part() instanceof Part.ToolUse use) {
      keep(use.arguments());
    } else if (event.part() instanceof Part.Refusal refusal) {
      keep(refusal.text());
    }
  }

  @Override
  public void text(Event.TextDelta event) {
    keep(event.text());
  }

  @Override
  public void thinking(Event.ThinkingDelta event) {
    keep(event.text());
  }

  @Override
  public void seal(Event.Sealed event) {
    seal = event.seal();
    kept += event.seal().value().length();
  }

  @Override
  public void arguments(Event.ArgumentsDelta event) {
    keep(event.json());
  }

  @Override
  public void cited(Event.Cited event) {
    citations.add(event.citation());
  }

  @Override
  public void partEnded(Event.PartEnded event) {
    Part part = open;
    if (part != null) {
      parts.add(whole(part));
      open = null;
    }
  }

  private Part whole(Part part) {
    if (part instanceof Part.Text text) {
      return new Part.Text(words.toString(), citations, text.mark());
    }
    if (part instanceof Part.Thinking) {
      return new Part.Thinking(words.toString(), seal);
    }
    if (part instanceof Part.ToolUse use) {
      return new Part.ToolUse(use.id(), use.name(), words.toString(), use.mark());
    }
    return part instanceof Part.Refusal ? new Part.Refusal(words.toString()) : part;
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
    // nothing to keep
  }

  @Override
  public void failed(Event.Failed event) {
    // nothing to keep
  }

  @Override
  public void ping(Event.Ping event) {
    // nothing to keep
  }

  private void keep(String more) {
    words.append(more);
    kept += more.length();
  }
}
