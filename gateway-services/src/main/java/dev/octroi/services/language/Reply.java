package dev.octroi.services.language;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.language.Prompt.Part;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a model answered.
 *
 * @param id the upstream's
 * @param model the upstream's name for the model that ran
 * @param stopSequence the sequence that ended it, where the upstream says which
 */
public record Reply(
    String id,
    String model,
    List<Part> parts,
    StopReason stop,
    @Nullable String stopSequence,
    Usage usage) {

  public Reply {
    parts = List.copyOf(parts);
  }

  /**
   * This answer. One that says nothing is none, unless it ended where the caller wanted its end.
   *
   * @throws Failure 502 for no answer
   */
  public Reply requireContent() {
    if (parts.stream().noneMatch(Reply::says) && !stop.isCallers()) {
      throw new Failure(ErrorCode.UPSTREAM_FAILED, EventSequence.empty().message());
    }
    return this;
  }

  /** Whether a part, or its beginning, says something. */
  public static boolean says(Part part) {
    if (part instanceof Part.Text text) {
      return !text.text().isEmpty();
    }
    if (part instanceof Part.Thinking thinking) {
      return !thinking.text().isEmpty() || thinking.seal() != null;
    }
    return !(part instanceof Part.Refusal refusal) || !refusal.text().isEmpty();
  }

  /**
   * Tokens and searches of a call. The three kinds of input do not overlap; thoughts are part of
   * the output.
   *
   * @param input neither read from a cache nor written to one
   * @param cacheWrite written to a cache for a few minutes
   * @param cacheWriteHour written to a cache for an hour
   * @param searches how often the vendor searched the web, as far as it says
   */
  public record Usage(
      long input,
      long output,
      long cacheRead,
      long cacheWrite,
      long cacheWriteHour,
      long reasoning,
      long searches) {

    public static final Usage NONE = new Usage(0, 0, 0, 0, 0);

    /** A call that left nothing in a cache for an hour and did not search. */
    public Usage(long input, long output, long cacheRead, long cacheWrite, long reasoning) {
      this(input, output, cacheRead, cacheWrite, 0, reasoning, 0);
    }

    /** All input, the arithmetic of the chat and responses protocols. */
    public long allInput() {
      return input + cacheRead + allCacheWrite();
    }

    /** What was written to a cache, for however long. */
    public long allCacheWrite() {
      return cacheWrite + cacheWriteHour;
    }

    /** The usage that a protocol states whose input includes what was cached, and no more. */
    public static Usage ofAllInput(
        long all, long output, long cacheRead, long cacheWrite, long reasoning) {
      long input = Math.max(0, all);
      long read = Math.min(Math.max(0, cacheRead), input);
      long write = Math.min(Math.max(0, cacheWrite), input - read);
      return new Usage(input - read - write, output, read, write, reasoning);
    }
  }

  /** Why a model stopped. */
  public enum StopReason {
    END_TURN,
    MAX_TOKENS,
    STOP_SEQUENCE,
    TOOL_USE,
    /** Declined by the model or by the upstream's filter. */
    REFUSAL,
    /** The upstream paused a long turn; the caller may continue it. */
    PAUSE,
    CONTEXT_EXCEEDED;

    /** Whether the caller set this end: it is an answer, whatever was said until then. */
    public boolean isCallers() {
      return this == MAX_TOKENS || this == STOP_SEQUENCE;
    }
  }
}
