package dev.octroi.api.change;

import dev.octroi.api.settings.Given;
import dev.octroi.api.settings.Given.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * All changes that were ever written, in the order in which they hold. Immutable.
 *
 * @param all the one that holds first, first
 */
public record Changes(List<SettingsChange> all) {

  public static final Changes NONE = new Changes(List.of());

  private static final String ROUTES = "gateway.routes.";

  /** Longer than a former price is honoured, and than any call lasts. */
  private static final Duration REMEMBERED = Duration.ofDays(1);

  public Changes {
    all =
        all.stream()
            .sorted(
                Comparator.comparing(SettingsChange::from)
                    .thenComparingLong(SettingsChange::number))
            .toList();
  }

  /**
   * A line that stands at some time in place of the file's.
   *
   * @param value what it says; a secret as it is sealed
   * @param change that wrote it
   */
  public record Line(String value, SettingsChange change) {

    /** The same as any source of settings gives it. */
    public Given given(String key, UnaryOperator<String> opened) {
      return new Given(key, opened.apply(value), change.name(), Origin.KEY);
    }
  }

  /** How far back it matters at a moment what held. */
  public static Instant remembered(Instant now) {
    return now.minus(REMEMBERED);
  }

  /** These and one more. */
  public Changes and(SettingsChange another) {
    return new Changes(Stream.concat(all.stream(), Stream.of(another)).toList());
  }

  /** The number of the latest that was written; 0 before the first. */
  public long latest() {
    return all.stream().mapToLong(SettingsChange::number).max().orElse(0);
  }

  /** The moments after a time at which something changes, in their order. */
  public List<Instant> momentsAfter(Instant time) {
    return all.stream()
        .map(SettingsChange::from)
        .filter(from -> from.isAfter(time))
        .distinct()
        .toList();
  }

  /** The lines that stand at a time, by key, in the order of the alphabet. */
  public Map<String, Line> at(Instant time) {
    TreeMap<String, Line> lines = new TreeMap<>();
    for (SettingsChange change : all) {
      if (change.from().isAfter(time)) {
        break;
      }
      change
          .lines()
          .forEach(
              (key, value) ->
                  value.ifPresentOrElse(
                      text -> lines.put(key, new Line(text, change)),
                      () -> lines.keySet().removeIf(known -> isAtOrBelow(known, key))));
    }
    return lines;
  }

  private static boolean isAtOrBelow(String known, String key) {
    return known.equals(key) || known.startsWith(key + ".");
  }

  /** Whether a line is of a route's settings; the others are of the price book. */
  public static boolean isOfRoutes(String key) {
    return key.startsWith(ROUTES);
  }
}
