package dev.octroi.services.language;

/**
 * Tokens of a call. The three kinds of input do not overlap; thoughts are part of the output.
 *
 * @param input neither read from a cache nor written to one
 */
public record Usage(long input, long output, long cacheRead, long cacheWrite, long reasoning) {

  public static final Usage NONE = new Usage(0, 0, 0, 0, 0);

  /** All input, the arithmetic of the chat and responses protocols. */
  public long allInput() {
    return input + cacheRead + cacheWrite;
  }

  /** The usage that a protocol states whose input includes what was cached. */
  public static Usage ofAllInput(long all, long output, long cacheRead, long reasoning) {
    return new Usage(Math.max(0, all - cacheRead), output, cacheRead, 0, reasoning);
  }
}
