package dev.octroi.services.language.chat;

import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Reply.StopReason;
import java.util.List;

/** The protocol's words for why a model stopped; it has fewer than there are reasons. */
final class FinishWords {

  /** By which some hosts say that the model failed. */
  static final String FAILED = "error";

  private FinishWords() {}

  /**
   * @param parts what was answered: hosts say {@code stop} after calls and refusals too
   */
  static StopReason read(String word, List<Part> parts) {
    return read(
        word,
        parts.stream().anyMatch(Part.ToolUse.class::isInstance),
        parts.stream().anyMatch(Part.Refusal.class::isInstance));
  }

  static StopReason read(String word, boolean called, boolean refused) {
    return switch (word) {
      case "length" -> StopReason.MAX_TOKENS;
      case "tool_calls", "function_call" -> StopReason.TOOL_USE;
      case "content_filter" -> StopReason.REFUSAL;
      default -> {
        if (refused) {
          yield StopReason.REFUSAL;
        }
        yield called ? StopReason.TOOL_USE : StopReason.END_TURN;
      }
    };
  }

  /**
   * @param refused whether the words of a refusal were told, which needs no other word
   */
  static String write(StopReason reason, boolean refused) {
    return switch (reason) {
      case END_TURN, STOP_SEQUENCE, PAUSE -> "stop";
      case MAX_TOKENS, CONTEXT_EXCEEDED -> "length";
      case TOOL_USE -> "tool_calls";
      case REFUSAL -> refused ? "stop" : "content_filter";
    };
  }
}
