package dev.octroi.sandbox.prediction;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The periods that a series is cut into.
 *
 * @param word the granularity
 * @param step seconds of a period
 */
record Grid(String word, long step) {

  private static final long DAY = 86_400;
  private static final Map<String, Long> STEPS =
      Map.of(
          "hour",
          3_600L,
          "day",
          DAY,
          "week",
          7 * DAY,
          "month",
          30 * DAY,
          "year",
          365 * DAY,
          "all",
          36_500 * DAY);

  static Grid of(String word) {
    return new Grid(word, STEPS.getOrDefault(word, DAY));
  }

  /** The granularity of a call: a day where it says nothing. */
  static Grid asked(Ask ask) {
    return of(ask.choice("granularity", "day", "week", "month", "year", "all"));
  }

  /** The stretch that a series covers where the call does not say. */
  Duration usual() {
    return Duration.ofDays(Math.max(30, Math.min(365, 12 * step / DAY)));
  }

  /** The beginning of the period after the one that begins at a time. */
  long next(long start) {
    return start + step;
  }

  /** The beginnings of all periods that begin in a stretch, or the stretch's own if none does. */
  List<Long> starts(Span span, int most) {
    List<Long> starts = new ArrayList<>();
    for (int i = 0; i < span.marks(step, most); i++) {
      starts.add(span.mark(step, i));
    }
    return starts.isEmpty() ? List.of(span.start()) : starts;
  }

  /** The ends of the periods of a stretch; the last is the end of the stretch itself. */
  List<Long> ends(Span span, int most) {
    List<Long> ends = new ArrayList<>();
    for (int i = 0; i < span.marks(step, most); i++) {
      ends.add(span.mark(step, i));
    }
    if (ends.isEmpty() || ends.get(ends.size() - 1) < span.end()) {
      ends.add(span.end());
    }
    return ends;
  }

  Row row(Span span) {
    return Row.of("granularity", word, "start_time", span.start(), "end_time", span.end());
  }
}
