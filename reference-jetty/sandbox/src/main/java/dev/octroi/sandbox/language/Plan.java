package dev.octroi.sandbox.language;

import java.util.List;

/**
 * What the model will write.
 *
 * @param id of the answer, without a vendor's prefix
 * @param model that was asked
 * @param steps in their order
 * @param ending why it stops
 * @param stop the stop sequence that ended it; empty for none
 * @param usage what it costs
 * @param paceMillis silence before each piece
 * @param breach where it goes wrong
 */
record Plan(
    String id,
    String model,
    List<Step> steps,
    Ending ending,
    String stop,
    Usage usage,
    int paceMillis,
    Breach breach) {

  /** One thing that is written. */
  sealed interface Step {}

  /** Thinking, token by token. */
  record Think(List<String> pieces) implements Step {
    String text() {
      return String.join("", pieces);
    }
  }

  /** Text, token by token. */
  record Say(List<String> pieces) implements Step {
    String text() {
      return String.join("", pieces);
    }
  }

  /** A call of a tool, its arguments as JSON. */
  record Call(String id, String name, String arguments) implements Step {}

  /** Why a model stops. */
  enum Ending {
    DONE,
    LENGTH,
    STOP,
    TOOLS,
    REFUSED
  }

  /**
   * Tokens.
   *
   * @param input read, what is cached excluded
   * @param output written, thinking included
   * @param thinking of those
   * @param cached found in the cache, or left there
   */
  record Usage(long input, long output, long thinking, PromptCache.Looked cached) {

    long cacheRead() {
      return cached.read();
    }

    long cacheWrite() {
      return cached.minutes() + cached.hour();
    }

    long allInput() {
      return input + cacheRead() + cacheWrite();
    }
  }

  /**
   * Where a stream goes wrong.
   *
   * @param after so many pieces; negative for never
   * @param cut whether the connection breaks, rather than an error being sent
   */
  record Breach(int after, boolean cut) {
    static final Breach NEVER = new Breach(-1, false);
  }
}
