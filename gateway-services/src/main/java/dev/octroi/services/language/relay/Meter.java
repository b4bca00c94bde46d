package dev.octroi.services.language.relay;

import dev.octroi.services.language.Event;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.PromptLimits;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.Reply.Usage;
import dev.octroi.services.language.relay.LanguageModels.ModelCall;
import dev.octroi.services.language.route.PromptReading;
import dev.octroi.services.language.route.Router.Candidate;
import dev.octroi.services.language.tokens.TokenCounter;
import dev.octroi.services.language.tokens.TokenCounter.TokenCount;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Knows what an answer has used: what the upstream says, or, where it said nothing by the end or
 * what cannot be, the input and what was written. Reading every token and hanging up before the
 * usage is told is not free (money rule 7). For one thread.
 */
final class Meter implements Consumer<Event> {

  /** All searches that the call may make, which the vendor may have made. */
  private static final long UNTOLD = Long.MAX_VALUE;

  private final ModelCall call;
  private final Candidate candidate;
  private final TokenCounter counter;
  private final StringBuilder written = new StringBuilder();
  private @Nullable Usage started;
  private @Nullable Usage told;
  private boolean content;
  private Event.@Nullable Failed failure;

  Meter(ModelCall call, Candidate candidate, TokenCounter counter) {
    this.call = call;
    this.candidate = candidate;
    this.counter = counter;
  }

  @Override
  public void accept(Event event) {
    if (event instanceof Event.TextDelta delta) {
      wrote(delta.text());
    } else if (event instanceof Event.ThinkingDelta delta) {
      wrote(delta.text());
    } else if (event instanceof Event.ArgumentsDelta delta) {
      wrote(delta.json());
    } else if (event instanceof Event.PartStarted part) {
      content |= Reply.says(part.part());
    } else if (event instanceof Event.Stopped stopped) {
      content |= stopped.reason().isCallers();
    } else if (event instanceof Event.Used used) {
      told = used.usage();
    } else if (event instanceof Event.Started begun) {
      started = begun.usage();
    } else if (event instanceof Event.Failed failed) {
      failure = failed;
    }
  }

  private void wrote(String text) {
    content = true;
    if (written.length() < PromptLimits.KEPT_ANSWER) {
      written.append(text);
    }
  }

  /** How long the prompt is, in bytes. */
  int asked() {
    return call.body().length;
  }

  /** Whether the answer proper has begun, or ended where the caller wanted its end. */
  boolean hasContent() {
    return content;
  }

  /** How the answer broke off, if it did. */
  Event.@Nullable Failed failure() {
    return failure;
  }

  /** What it has cost by now, in millionths of a dollar. */
  long micros() {
    return candidate.quote().charge(usage());
  }

  /** What a whole answer has cost, in millionths of a dollar. */
  long micros(Reply reply) {
    reply.parts().forEach(part -> wrote(words(part)));
    told = reply.usage();
    return micros();
  }

  private static String words(Part part) {
    if (part instanceof Part.Text text) {
      return text.text();
    }
    if (part instanceof Part.Thinking thinking) {
      return thinking.text();
    }
    if (part instanceof Part.ToolUse use) {
      return use.arguments();
    }
    return part instanceof Part.Refusal refusal ? refusal.text() : "";
  }

  /** What the upstream told, as far as it can be: it may tell nothing, or anything. */
  private Usage usage() {
    TokenCount output = counter.count(candidate.model().tokenizer(), written.toString());
    Usage last = told;
    Usage known = last != null ? last : Objects.requireNonNullElse(started, Usage.NONE);
    boolean input = known.allInput() > 0;
    return new Usage(
        input ? known.input() : input(),
        last != null && covers(last, output) ? last.output() : output.atMost(),
        input ? known.cacheRead() : 0,
        input ? known.cacheWrite() : 0,
        input ? known.cacheWriteHour() : 0,
        known.reasoning(),
        last != null ? last.searches() : UNTOLD);
  }

  /** Vendors count differently, but not less than half of what was certainly written. */
  private boolean covers(Usage usage, TokenCount output) {
    return written.isEmpty() || (usage.output() > 0 && usage.output() >= output.atLeast() / 2);
  }

  private long input() {
    return counter
        .count(candidate.model().tokenizer(), PromptReading.of(call.prompt()).prompt())
        .atMost();
  }
}
