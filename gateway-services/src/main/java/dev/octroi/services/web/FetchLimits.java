package dev.octroi.services.web;

import java.time.Duration;

/**
 * How much a fetch may cost.
 *
 * @param deadline for the whole of it, redirections included
 * @param bytes the largest page, after decompression
 * @param redirects how many are followed
 * @param atOnce fetches under way
 */
public record FetchLimits(Duration deadline, int bytes, int redirects, int atOnce) {

  public FetchLimits {
    if (deadline.isNegative() || deadline.isZero() || bytes < 1 || redirects < 0 || atOnce < 1) {
      throw new IllegalArgumentException("A fetch has time, bytes and a place");
    }
  }
}
