package dev.octroi.sandbox.cryptodata;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A request's parameters after their check.
 *
 * @param values by the vendor's names, defaults included
 * @param body the bytes of a POST
 */
record Ask(Map<String, String> values, byte[] body) {

  /** A parameter that is required or has a default. */
  String text(String name) {
    return maybe(name).orElseThrow(() -> Refusal.badRequest("Missing parameter " + name));
  }

  Optional<String> maybe(String name) {
    return Optional.ofNullable(values.get(name));
  }

  /** The first of these that the caller gave; the vendor wants at least one. */
  String anyOf(String... names) {
    return Stream.of(names)
        .flatMap(name -> maybe(name).stream())
        .findFirst()
        .orElseThrow(() -> Refusal.badRequest("One of " + String.join(", ", names) + " is needed"));
  }

  int whole(String name) {
    return Math.toIntExact(Long.parseLong(text(name)));
  }

  boolean is(String name, String value) {
    return value.equals(values.get(name));
  }

  /** Whether a filter lets a value through: it does where the caller gave none. */
  boolean accepts(String name, @Nullable Object value) {
    String wanted = values.get(name);
    return wanted == null || wanted.equals(value);
  }

  List<String> list(String name) {
    return maybe(name)
        .map(cell -> Stream.of(cell.split(",")).map(String::strip).toList())
        .orElse(List.of());
  }

  /** A time given as Unix seconds, a date or an instant. */
  Optional<Long> time(String name) {
    return maybe(name).map(Ask::seconds);
  }

  private static long seconds(String text) {
    try {
      if (text.matches("\\d{1,11}")) {
        return Long.parseLong(text);
      }
      return text.contains("T")
          ? Instant.parse(text).getEpochSecond()
          : LocalDate.parse(text).atStartOfDay().toEpochSecond(ZoneOffset.UTC);
    } catch (DateTimeException unreadable) {
      throw Refusal.invalid("Not a time: use Unix seconds or ISO 8601");
    }
  }
}
