package dev.octroi.services.read;

import java.time.Duration;

/**
 * How much is remembered of a group's answers.
 *
 * @param maxBytes memory for bodies; the least used go first
 * @param unstated freshness of the rows that state none; zero for never
 */
public record CacheSettings(long maxBytes, Duration unstated) {

  /** 64 MiB; nothing without a stated freshness. */
  public static CacheSettings standard() {
    return new CacheSettings(64L << 20, Duration.ZERO);
  }
}
