package dev.octroi.services.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.VenueWords;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
  private static final String HEX = "0123456789ABCDEF";
  private static final String UNRESERVED_MARKS = "-._~";

  /**
   * The first request as the row describes it: parameters renamed, values in the vendor's spelling,
   * lists comma-separated. A path parameter that the vendor has not in its path is sent in the
   * query. What the caller gave goes before what he did not list, and that before our defaults: of
   * two values for one upstream name the earlier stands. What the row always sends stands above
   * all.
   */
  public static UpstreamTarget of(Read row, Arguments arguments) {
    ReadSource.Request request = row.source().first();
    Map<String, String> path = new LinkedHashMap<>();
    Map<String, List<String>> query = new LinkedHashMap<>();
    Map<String, Parameter> listed = new LinkedHashMap<>();
    row.parameters().forEach(parameter -> listed.put(parameter.name(), parameter));
    arguments
        .path()
        .forEach(
            (name, value) -> {
              String vendors = Objects.requireNonNull(listed.get(name)).upstreamName();
              if (request.path().contains("{" + vendors + "}")) {
                path.put(vendors, value);
              } else {
                query.put(vendors, List.of(value));
              }
            });
    arguments.given().forEach((name, values) -> put(query, listed.get(name), values));
    arguments.unlisted().forEach(query::putIfAbsent);
    arguments.defaults().forEach((name, value) -> put(query, listed.get(name), List.of(value)));
    request.fixed().forEach((name, value) -> query.put(name, List.of(value)));
    return new UpstreamTarget(request.path(), path, query);
  }

  private static void put(
      Map<String, List<String>> query, @Nullable Parameter listed, List<String> values) {
    Parameter parameter = Objects.requireNonNull(listed);
    String spelled = values.stream().map(parameter::spelling).collect(Collectors.joining(","));
    if (!spelled.isEmpty()) {
      query.putIfAbsent(parameter.upstreamName(), List.of(spelled));
    }
  }

  /** A request with these parameters alone. */
  public static UpstreamTarget at(String template, Map<String, List<String>> query) {
    return new UpstreamTarget(template, Map.of(), new LinkedHashMap<>(query));
  }

  /** The same parameters at another path. */
  public UpstreamTarget at(String otherTemplate) {
    return new UpstreamTarget(otherTemplate, path, query);
  }

  /** With this query parameter, in place of any of that name. */
  public UpstreamTarget with(String name, String value) {
    return with(name, List.of(value));
  }

  /** With this query parameter, repeated, in place of any of that name. */
  public UpstreamTarget with(String name, List<String> values) {
    Map<String, List<String>> other = new LinkedHashMap<>(query);
    other.put(name, List.copyOf(values));
    return new UpstreamTarget(template, path, other);
  }

  /** With this query parameter unless there is one. */
  public UpstreamTarget orElse(String name, String value) {
    return query.containsKey(name) ? this : with(name, value);
  }

  /** With every value of this query parameter converted. */
  public UpstreamTarget converted(String name, UnaryOperator<String> conversion) {
    List<String> values = query.get(name);
    return values == null ? this : with(name, values.stream().map(conversion).toList());
  }

  /** Without this query parameter. */
  public UpstreamTarget without(String name) {
    Map<String, List<String>> other = new LinkedHashMap<>(query);
    other.remove(name);
    return new UpstreamTarget(template, path, other);
  }

  /**
   * Compares what a part of an answer says that it is about with what was asked for, whichever case
   * the vendor writes it in. Nothing is compared that was not asked for or is not told.
   *
   * @param names {@code member=parameter}, or {@code name=} where both have one name; of several
   *     members, {@code one,other=parameter}, one at least agrees
   * @param spelling what both are compared in, where the vendor may write more than was asked for
   * @throws dev.octroi.services.Failure 502 for a part about something else
   */
  public void requireAbout(JsonNode part, String names, UnaryOperator<String> spelling) {
    String members = names.substring(0, names.indexOf('='));
    String parameter = names.substring(members.length() + 1);
    Set<String> wanted = asked(parameter.isEmpty() ? members : parameter, spelling);
    boolean agrees =
        Stream.of(members.split(","))
            .map(member -> UpstreamJson.at(part, member.split("\\.")))
            .anyMatch(said -> agrees(said, wanted, spelling));
    if (!wanted.isEmpty() && !agrees) {
      throw Failures.unreadable(members + " is not what was asked for");
    }
  }

  private static boolean agrees(JsonNode said, Set<String> wanted, UnaryOperator<String> spelling) {
    return said.isArray()
        ? said.valueStream().allMatch(one -> agrees(one, wanted, spelling))
        : said.asText("").isBlank()
            || said.isNull()
            || wanted.contains(spelling.apply(said.asText()).toLowerCase(Locale.ROOT));
  }

  private Set<String> asked(String parameter, UnaryOperator<String> spelling) {
    List<String> values =
        path.containsKey(parameter)
            ? List.of(path.get(parameter))
            : query.getOrDefault(parameter, List.of());
    return values.stream()
        .flatMap(value -> Stream.of(value.split(",")))
        .map(value -> spelling.apply(value.strip()).toLowerCase(Locale.ROOT))
        .filter(value -> !value.isEmpty())
        .collect(Collectors.toSet());
  }

  /** Path and query as they go over the wire: venue words named, values percent-encoded. */
  String encoded(VenueWords words) {
    StringBuilder line = new StringBuilder();
    Matcher place = PLACE.matcher(words.in(template));
    while (place.find()) {
      String value = path.getOrDefault(place.group(1), "");
      place.appendReplacement(line, Matcher.quoteReplacement(percentEncoded(value)));
    }
    place.appendTail(line);
    StringJoiner pairs = new StringJoiner("&", "?", "").setEmptyValue("");
    query.forEach(
        (name, values) -> {
          String key = percentEncoded(words.in(name));
          values.forEach(value -> pairs.add(key + "=" + percentEncoded(value)));
        });
    return line.append(pairs).toString();
  }

  /** Leaves nothing but RFC 3986's unreserved characters as they are. */
  private static String percentEncoded(String value) {
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
