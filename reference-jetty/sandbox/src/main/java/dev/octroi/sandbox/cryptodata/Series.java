package dev.octroi.sandbox.cryptodata;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/** Points at regular times, oldest first. */
final class Series {

  private static final int MOST = 1_000;

  private Series() {}

  /**
   * One point for each step between the asked times, both included.
   *
   * @param from Unix seconds where the caller gives none
   * @param point makes the point of a time
   */
  static <T> List<T> between(Ask ask, long from, long now, long step, LongFunction<T> point) {
    long start = ask.time("from").orElse(from);
    long end = Math.min(now, ask.time("to").orElse(now));
    long first =
        Math.max(Spans.floor(start + step - 1, step), Spans.floor(end, step) - MOST * step);
    List<T> points = new ArrayList<>();
    for (long at = first; at <= end; at += step) {
      points.add(point.apply(at));
    }
    return points;
  }

  /** So many points up to now, or from the asked time on. */
  static <T> List<T> last(Ask ask, int count, long now, long step, LongFunction<T> point) {
    long newest = Spans.floor(now, step);
    long first = newest - (count - 1L) * step;
    if (ask.time("from").isPresent()) {
      first = Spans.floor(ask.time("from").get() + step - 1, step);
    }
    List<T> points = new ArrayList<>();
    for (long at = first; at <= newest && points.size() < count; at += step) {
      points.add(point.apply(at));
    }
    return points;
  }
}
