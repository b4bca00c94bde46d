package dev.octroi.services.language;

import dev.octroi.services.language.Prompt.Citation;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Reply.StopReason;
import dev.octroi.services.language.Reply.Usage;
import org.jspecify.annotations.Nullable;

/**
 * A step of a streamed answer. Parts come one after another, numbered from 0: {@link PartStarted},
 * its deltas, {@link PartEnded}. {@link Stopped} and {@link Used} come in any order before {@link
 * Ended}; {@link Failed} ends a stream instead of {@link Ended}.
 */
public sealed interface Event {

  void accept(Visitor visitor);

  /** The answer begins; the usage is what is known by now. */
  record Started(String id, String model, Usage usage) implements Event {
    @Override
    public void accept(Visitor visitor) {
      visitor.started(this);
    }
  }

  /** A part begins; what it holds already is not repeated by a delta. */
  record PartStarted(int index, Part part) implements Event {
    @Override
    public void accept(Visitor visitor) {
      visitor.partStarted(this);
    }
  }

  /** More words of a text or of a refusal. */
  record TextDelta(int index, String text) implements Event {
    @Override
    public void accept(Visitor visitor) {
      visitor.text(this);
    }
  }

  /** More thoughts. */
  record ThinkingDelta(int index, String text) implements Event {
    @Override
    public void accept(Visitor visitor) {
      visitor.thinking(this);
    }
  }

  /** The thoughts of this part are sealed. */
  record Sealed(int index, Seal seal) implements Event {
    @Override
    public void accept(Visitor visitor) {
      visitor.seal(this);
    }
  }

  /** More of a tool's arguments, as JSON text. */
  record ArgumentsDelta(int index, String json) implements Event {
    @Override
    public void accept(Visitor visitor) {
      visitor.arguments(this);
    }
  }

  /** A text names a source. */
  record Cited(int index, Citation citation) implements Event {
    @Override
    public void accept(Visitor visitor) {
      visitor.cited(this);
    }
  }

  /** A part is whole. */
  record PartEnded(int index) implements Event {
    @Override
    public void accept(Visitor visitor) {
      visitor.partEnded(this);
    }
  }

  /** All tokens so far: replaces what was said before. */
  record Used(Usage usage) implements Event {
    @Override
    public void accept(Visitor visitor) {
      visitor.used(this);
    }
  }

  /** The model stopped. */
  record Stopped(StopReason reason, @Nullable String sequence) implements Event {
    @Override
    public void accept(Visitor visitor) {
      visitor.stopped(this);
    }
  }

  /** The answer is whole. */
  record Ended() implements Event {
    @Override
    public void accept(Visitor visitor) {
      visitor.ended(this);
    }
  }

  /** The answer broke off. */
  record Failed(Problem problem) implements Event {
    @Override
    public void accept(Visitor visitor) {
      visitor.failed(this);
    }
  }

  /** Nothing but a sign of life. */
  record Ping() implements Event {
    @Override
    public void accept(Visitor visitor) {
      visitor.ping(this);
    }
  }

  /** One method per kind: a visitor that forgets one does not compile. */
  interface Visitor {
    void started(Started event);

    void partStarted(PartStarted event);

    void text(TextDelta event);

    void thinking(ThinkingDelta event);

    void seal(Sealed event);

    void arguments(ArgumentsDelta event);

    void cited(Cited event);

    void partEnded(PartEnded event);

    void used(Used event);

    void stopped(Stopped event);

    void ended(Ended event);

    void failed(Failed event);

    void ping(Ping event);
  }
}
