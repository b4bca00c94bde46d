package dev.octroi.services.read;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
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

  /** One segment of a request path, as the value that it carries. */
  private static final class PathSegment {

    /** Longer than any identifier of an upstream; a longer one names nothing. */
    private static final int MAX_LENGTH = 512;

    private PathSegment() {}

    /**
     * Percent-decodes a segment strictly (RFC 3986 section 2.1, UTF-8).
     *
     * @return empty for a segment that is malformed, or whose value could move the path somewhere
     *     else once it stands in an upstream's: empty, dots alone, slashes, semicolons and control
     *     characters
     */
    static Optional<String> decode(String segment) {
      if (segment.length() > MAX_LENGTH) {
        return Optional.empty();
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(segment.length());
      for (int i = 0; i < segment.length(); i++) {
        char c = segment.charAt(i);
        if (c == '%') {
          int octet = octet(segment, i);
          if (octet < 0) {
            return Optional.empty();
          }
          bytes.write(octet);
          i += 2;
        } else if (c > ' ' && c < 0x7f) {
          bytes.write(c);
        } else {
          return Optional.empty();
        }
      }
      return text(bytes.toByteArray()).filter(PathSegment::staysInPlace);
    }

    private static int octet(String segment, int percent) {
      if (percent + 2 >= segment.length()) {
        return -1;
      }
      int high = Character.digit(segment.charAt(percent + 1), 16);
      int low = Character.digit(segment.charAt(percent + 2), 16);
      return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    private static Optional<String> text(byte[] bytes) {
      try {
        // A fresh decoder reports malformed and overlong sequences instead of replacing them.
        return Optional.of(
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
      } catch (CharacterCodingException malformed) {
        return Optional.empty();
      }
    }

    private static boolean staysInPlace(String value) {
      return !value.isEmpty()
          && !value.equals(".")
          && !value.equals("..")
          && value
              .chars()
              .noneMatch(c -> c == '/' || c == '\\' || c == ';' || Character.isISOControl(c));
    }
  }
}
