package dev.octroi.services.language.messages;

import dev.octroi.services.language.Reply.StopReason;

/** The protocol's words for why a model stopped. */
enum StopWords {
  END_TURN("end_turn", StopReason.END_TURN),
  MAX_TOKENS("max_tokens", StopReason.MAX_TOKENS),
  STOP_SEQUENCE("stop_sequence", StopReason.STOP_SEQUENCE),
  TOOL_USE("tool_use", StopReason.TOOL_USE),
  REFUSAL("refusal", StopReason.REFUSAL),
  PAUSE("pause_turn", StopReason.PAUSE),
  CONTEXT("model_context_window_exceeded", StopReason.CONTEXT_EXCEEDED);

  private final String word;
  private final StopReason reason;

  StopWords(String word, StopReason reason) {
    this.word = word;
    this.reason = reason;
  }

  /** The reason; the end of the turn for a word that is not known yet. */
  static StopReason read(String word) {
    for (StopWords known : values()) {
      if (known.word.equals(word)) {
        return known.reason;
      }
    }
    return StopReason.END_TURN;
  }

  static String write(StopReason reason) {
    for (StopWords known : values()) {
      if (known.reason == reason) {
        return known.word;
      }
    }
    throw new AssertionError(reason);
  }
}
