package dev.octroi.services.language.price;

/**
 * The tokens that a call has used, each counted once.
 *
 * @param input read, and neither found in the vendor's cache nor left there
 * @param output written, reasoning included
 * @param cacheRead found in the vendor's cache
 * @param cacheWrite left in the vendor's cache
 */
public record TokenUsage(long input, long output, long cacheRead, long cacheWrite) {

  public TokenUsage {
    if (input < 0 || output < 0 || cacheRead < 0 || cacheWrite < 0) {
      throw new IllegalArgumentException("a count of tokens is not negative");
    }
  }

  /** A usage without a cache. */
  public static TokenUsage of(long input, long output) {
    return new TokenUsage(input, output, 0, 0);
  }
}
