package dev.octroi.api.route;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Paths below a route that are sold alike: {@code /search}, {@code /users/{id}}, {@code /files/*}.
 * The more specific ones come first. Immutable.
 *
 * <p>Segments are compared as a server may read them: decoded, and whatever the case of their
 * letters. A slash at the end makes no difference.
 */
final class PathPattern {

  /** What stands for any number of segments, none among them. */
  static final String REST = "path";

  private static final Pattern PARAMETER = Pattern.compile("\\{([A-Za-z_][A-Za-z0-9_.-]{0,63})}");
  private static final Pattern LITERAL =
      Pattern.compile("(?:[A-Za-z0-9\\-._~!$&'()+,=:@]|%[0-9A-Fa-f]{2})+");

  /** In the order in which they decide. */
  private enum Kind {
    LITERAL,
    PARAMETER,
    END,
    REST
  }

  /**
   * One of a pattern.
   *
   * @param text of a literal: decoded; else its name
   * @param spelling as it was written
   */
  private record Segment(Kind kind, String text, String spelling) {}

  private static final Segment THE_REST = new Segment(Kind.REST, REST, "*");
  private static final Segment THE_END = new Segment(Kind.END, "", "");

  private final List<Segment> segments;

  private PathPattern(List<Segment> segments) {
    this.segments = List.copyOf(segments);
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException with what is wrong with it
   */
  static PathPattern of(String text) {
    if (!text.startsWith("/")) {
      throw new IllegalArgumentException(
          "'" + text + "' is no path: write /search, /users/{id} or /files/*");
    }
    List<Segment> segments = new ArrayList<>();
    List<String> parts = split(text);
    for (int i = 0; i < parts.size(); i++) {
      segments.add(segment(parts.get(i), i == parts.size() - 1, text));
    }
    if (segments.isEmpty() || segments.get(segments.size() - 1).kind() != Kind.REST) {
      segments.add(THE_END);
    }
    return new PathPattern(segments);
  }

  /** Everything below a route, and the route itself. */
  static PathPattern all() {
    return new PathPattern(List.of(THE_REST));
  }

  private static Segment segment(String part, boolean last, String whole) {
    Matcher parameter = PARAMETER.matcher(part);
    if (part.equals("*") && last) {
      return THE_REST;
    }
    if (parameter.matches()) {
      return new Segment(Kind.PARAMETER, parameter.group(1).replaceAll("[.-]", "_"), part);
    }
    if (!LITERAL.matcher(part).matches() || part.equals(".") || part.equals("..")) {
      throw new IllegalArgumentException(
          "'"
              + whole
              + "' is no path: a segment is a word, {name}, or at the end * for all that follows");
    }
    return new Segment(Kind.LITERAL, decoded(part), part);
  }

  /** The segments of an encoded path, decoded; none of the root. */
  static List<String> decodedSegments(String path) {
    return split(path).stream().map(PathPattern::decoded).toList();
  }

  private static List<String> split(String path) {
    String inner = path.replaceFirst("^/", "").replaceFirst("/$", "");
    return inner.isEmpty() ? List.of() : List.of(inner.split("/", -1));
  }

  private static String decoded(String segment) {
    return segment.indexOf('%') < 0
        ? segment
        : URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** Whether a server that ignores the case of letters could take a path for one of these. */
  boolean matches(List<String> path) {
    int at = 0;
    for (Segment segment : segments) {
      switch (segment.kind()) {
        case REST -> {
          return true;
        }
        case END -> {
          return at == path.size();
        }
        case LITERAL -> {
          if (at == path.size() || !folded(path.get(at)).equals(folded(segment.text()))) {
            return false;
          }
        }
        case PARAMETER -> {
          if (at == path.size()) {
            return false;
          }
        }
      }
      at++;
    }
    return false;
  }

  /** Whether a path that {@link #matches} is spelled as it is here. */
  boolean isSpelledSo(List<String> path) {
    for (int i = 0; i < segments.size(); i++) {
      Segment segment = segments.get(i);
      if (segment.kind() == Kind.LITERAL && !segment.text().equals(path.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether all that another one holds, this holds too. */
  boolean holds(PathPattern other) {
    return (hasRest() || !other.hasRest())
        && matches(
            other.segments.stream()
                .filter(segment -> segment.kind() != Kind.END)
                .map(segment -> segment.kind() == Kind.LITERAL ? segment.text() : "\0")
                .toList());
  }

  /** The names of its parameters, in their order. */
  List<String> parameters() {
    return segments.stream()
        .filter(segment -> segment.kind() == Kind.PARAMETER)
        .map(Segment::text)
        .toList();
  }

  boolean hasRest() {
    return segments.get(segments.size() - 1).kind() == Kind.REST;
  }

  /** With its parameters in braces, what follows among them. */
  String template() {
    return segments.stream()
        .filter(segment -> segment.kind() != Kind.END)
        .map(
            segment ->
                segment.kind() == Kind.LITERAL
                    ? "/" + segment.spelling()
                    : "/{" + segment.text() + "}")
        .collect(Collectors.joining());
  }

  /** Letters, digits and underscores that tell it apart. */
  String word() {
    return segments.stream()
        .filter(segment -> segment.kind() == Kind.LITERAL || segment.kind() == Kind.PARAMETER)
        .map(
            segment ->
                (segment.kind() == Kind.PARAMETER ? "by_" : "")
                    + segment.text().replaceAll("[^A-Za-z0-9]+", "_"))
        .collect(Collectors.joining("_"))
        .toLowerCase(Locale.ROOT);
  }

  /** Less than zero if this is the more specific of two that hold the same path. */
  int comparedTo(PathPattern other) {
    for (int i = 0; i < Math.min(segments.size(), other.segments.size()); i++) {
      int kind = segments.get(i).kind().compareTo(other.segments.get(i).kind());
      if (kind != 0) {
        return kind;
      }
    }
    return 0;
  }

  /** Those that are equal hold the same paths. */
  @Override
  public boolean equals(Object other) {
    return other instanceof PathPattern pattern && key().equals(pattern.key());
  }

  @Override
  public int hashCode() {
    return key().hashCode();
  }

  private List<String> key() {
    return segments.stream()
        .map(
            segment ->
                segment.kind() == Kind.LITERAL
                    ? "/" + folded(segment.text())
                    : segment.kind().name())
        .toList();
  }

  /** The same for all spellings that differ by the case of their letters alone. */
  static String folded(String text) {
    return text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    String spelled =
        segments.stream()
            .filter(segment -> segment.kind() != Kind.END)
            .map(segment -> "/" + segment.spelling())
            .collect(Collectors.joining());
    return spelled.isEmpty() ? "/" : spelled;
  }
}
