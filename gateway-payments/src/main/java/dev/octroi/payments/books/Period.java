package dev.octroi.payments.books;

import java.time.Instant;

/**
 * A span of time.
 *
 * @param from the first moment
 * @param to the first moment that is no longer in it, after {@code from}
 */
public record Period(Instant from, Instant to) {

  /** All that databases can tell. */
  public static final Period ALL =
      new Period(Instant.parse("1970-01-01T00:00:00Z"), Instant.parse("9999-12-31T00:00:00Z"));

  public Period {
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException("a period ends after it begins");
    }
  }
}
