package dev.octroi.services.read;

import dev.octroi.services.upstream.VenueWords;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is asked of the upstream, under its own names. Immutable: a connector derives the target
 * that its vendor wants from the one that the row describes.
 *
 * @param template the upstream's path, with {@code {name}} for path parameters
 * @param path path parameters by name
 * @param query query parameters in the order in which they are sent
 */
public record UpstreamTarget(
    String template, Map<String, String> path, Map<String, List<String>> query) {

  private static final Pattern PLACE = Pattern.compile("\\{([A-Za-z0-9_]+)}");

  /**
   * The target as the row describes it: parameters renamed, lists comma-separated. What the caller
   * gave goes before what he did not list, and that before our defaults: of two values for one
   * upstream name the earlier stands.
   */
  public static UpstreamTarget of(Read row, Arguments arguments) {
    Map<String, List<String>> query = new LinkedHashMap<>();
    Map<String, String> names = new LinkedHashMap<>();
    row.parameters().forEach(parameter -> names.put(parameter.name(), parameter.upstreamName()));
    arguments
        .given()
        .forEach((name, values) -> query.put(names.get(name), List.of(String.join(",", values))));
    arguments.unlisted().forEach(query::putIfAbsent);
    arguments
        .defaults()
        .forEach((name, value) -> query.putIfAbsent(names.get(name), List.of(value)));
    return new UpstreamTarget(row.upstreamPath(), arguments.path(), query);
  }

  /** The same parameters at another path. */
  public UpstreamTarget at(String otherTemplate) {
    return new UpstreamTarget(otherTemplate, path, query);
  }

  /** With this query parameter, in place of any of that name. */
  public UpstreamTarget with(String name, String value) {
    return changed(name, List.of(value));
  }

  /** With this query parameter unless there is one. */
  public UpstreamTarget orElse(String name, String value) {
    return query.containsKey(name) ? this : with(name, value);
  }

  /** With every value of this query parameter converted. */
  public UpstreamTarget converted(String name, UnaryOperator<String> conversion) {
    List<String> values = query.get(name);
    return values == null ? this : changed(name, values.stream().map(conversion).toList());
  }

  /** Without this query parameter. */
  public UpstreamTarget without(String name) {
    Map<String, List<String>> other = new LinkedHashMap<>(query);
    other.remove(name);
    return new UpstreamTarget(template, path, other);
  }

  private UpstreamTarget changed(String name, List<String> values) {
    Map<String, List<String>> other = new LinkedHashMap<>(query);
    other.put(name, values);
    return new UpstreamTarget(template, path, other);
  }

  /** Path and query as they go over the wire: venue words named, values percent-encoded. */
  String encoded(VenueWords words) {
    StringBuilder line = new StringBuilder();
    Matcher place = PLACE.matcher(words.in(template));
    while (place.find()) {
      String value = path.getOrDefault(place.group(1), "");
      place.appendReplacement(line, Matcher.quoteReplacement(PercentEncoding.of(value)));
    }
    place.appendTail(line);
    StringJoiner pairs = new StringJoiner("&", "?", "").setEmptyValue("");
    query.forEach(
        (name, values) -> {
          String key = PercentEncoding.of(words.in(name));
          values.forEach(value -> pairs.add(key + "=" + PercentEncoding.of(value)));
        });
    return line.append(pairs).toString();
  }

  /** Percent-encoding that leaves nothing but RFC 3986's unreserved characters as they are. */
  private static final class PercentEncoding {

    private static final String HEX = "0123456789ABCDEF";
    private static final String UNRESERVED_MARKS = "-._~";

    private PercentEncoding() {}

    static String of(String value) {
      StringBuilder encoded = new StringBuilder(value.length() + 16);
      for (byte octet : value.getBytes(StandardCharsets.UTF_8)) {
        char character = (char) (octet & 0xff);
        if (unreserved(character)) {
          encoded.append(character);
        } else {
          encoded.append('%').append(HEX.charAt(character >> 4)).append(HEX.charAt(character & 15));
        }
      }
      return encoded.toString();
    }

    private static boolean unreserved(char character) {
      return (character >= 'a' && character <= 'z')
          || (character >= 'A' && character <= 'Z')
          || (character >= '0' && character <= '9')
          || UNRESERVED_MARKS.indexOf(character) >= 0;
    }
  }
}
