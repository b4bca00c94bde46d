package dev.octroi.services.read;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Finds the row that a path names. A literal segment beats a parameter, from the left, so {@code
 * /venue-a/trades/live} is never a trade called "live". Immutable, thread-safe.
 *
 * @param <R> the group's rows
 */
public final class RowMatcher<R extends Read> {

  /**
   * What a path stands for.
   *
   * @param row the read
   * @param path decoded path parameters by name
   */
  public record Match<R extends Read>(R row, Map<String, String> path) {

    public Match {
      path = Map.copyOf(path);
    }
  }

  private record Route<R extends Read>(R row, List<String> segments) {}

  private final Map<Integer, List<Route<R>>> routesByLength;

  /** What has no parameters, which is most of what is asked for; no other row can beat it. */
  private final Map<String, Match<R>> literal = new HashMap<>();

  /**
   * Orders the rows.
   *
   * @throws IllegalArgumentException if two rows stand for the same paths
   */
  public RowMatcher(Collection<R> rows) {
    TreeMap<String, Route<R>> ordered = new TreeMap<>();
    for (R row : rows) {
      List<String> segments = segments(row.path());
      Route<R> other = ordered.put(precedence(segments), new Route<>(row, segments));
      if (other != null) {
        throw new IllegalArgumentException(
            row.path() + " and " + other.row().path() + " are the same path");
      }
      if (segments.stream().noneMatch(RowMatcher::isParameter)) {
        literal.put(row.path(), new Match<>(row, Map.of()));
      }
    }
    routesByLength = new HashMap<>();
    ordered
        .values()
        .forEach(
            route ->
                routesByLength
                    .computeIfAbsent(route.segments().size(), size -> new ArrayList<>())
                    .add(route));
  }

  /**
   * The row for a path below the group's base.
   *
   * @param path begins with a slash, still percent-encoded. Literals are compared as they are, so
   *     an encoded or differently cased spelling of one matches nothing.
   */
  public Optional<Match<R>> match(String path) {
    Match<R> itself = literal.get(path);
    if (itself != null || !path.startsWith("/")) {
      return Optional.ofNullable(itself);
    }
    List<String> segments = segments(path);
    for (Route<R> route : routesByLength.getOrDefault(segments.size(), List.of())) {
      if (literalsAgree(route.segments(), segments)) {
        return parameters(route.segments(), segments).map(found -> new Match<>(route.row(), found));
      }
    }
    return Optional.empty();
  }

  private static boolean literalsAgree(List<String> template, List<String> segments) {
    for (int i = 0; i < template.size(); i++) {
      String expected = template.get(i);
      if (!isParameter(expected) && !expected.equals(segments.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static Optional<Map<String, String>> parameters(
      List<String> template, List<String> segments) {
    Map<String, String> found = new LinkedHashMap<>();
    for (int i = 0; i < template.size(); i++) {
      if (isParameter(template.get(i))) {
        Optional<String> value = PathSegment.decode(segments.get(i));
        if (value.isEmpty()) {
          return Optional.empty();
        }
        found.put(template.get(i).substring(1), value.get());
      }
    }
    return Optional.of(found);
  }

  private static List<String> segments(String path) {
    return List.of(path.substring(1).split("/", -1));
  }

  private static boolean isParameter(String segment) {
    return segment.startsWith(":");
  }

  /** Sorts literals before parameters; the same for two templates that differ in names alone. */
  private static String precedence(List<String> segments) {
    StringBuilder key = new StringBuilder();
    for (String segment : segments) {
      key.append(isParameter(segment) ? "1" : "0" + segment).append('/');
    }
    return key.toString();
  }
}
