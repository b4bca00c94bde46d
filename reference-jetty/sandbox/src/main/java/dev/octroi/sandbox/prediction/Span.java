package dev.octroi.sandbox.prediction;

import java.time.Instant;

/**
 * A stretch of time, both ends included.
 *
 * @param start Unix seconds
 * @param end Unix seconds, not before the start
 */
record Span(long start, long end) {

  static Span of(long start, long end) {
    if (start > end) {
      throw VendorRefusal.badRequest("Invalid time range", "start_time must be before end_time");
    }
    return new Span(start, end);
  }

  boolean holds(long second) {
    return second >= start && second <= end;
  }

  /** The part that has already happened. */
  Span until(Instant now) {
    return new Span(Math.min(start, now.getEpochSecond()), Math.min(end, now.getEpochSecond()));
  }

  /** How many marks of a grid of so many seconds lie in this stretch, at most as many. */
  int marks(long step, int most) {
    long first = Math.floorDiv(start + step - 1, step);
    return (int) Math.max(0, Math.min(most, Math.floorDiv(end, step) - first + 1));
  }

  /** The mark of that number, counted from the start of this stretch. */
  long mark(long step, int number) {
    return (Math.floorDiv(start + step - 1, step) + number) * step;
  }
}
