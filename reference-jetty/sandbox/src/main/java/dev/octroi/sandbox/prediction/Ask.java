package dev.octroi.sandbox.prediction;

import dev.octroi.sandbox.vendor.SandboxRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One call: the parameters with the vendor's validation, the universe and the time it is answered
 * for.
 *
 * @param request what came in
 * @param path values of the path's variables
 * @param universe what exists
 * @param now the time of the call; of the first page where this is a later one
 */
record Ask(SandboxRequest request, Map<String, String> path, Universe universe, Instant now) {

  /** A variable of the path. */
  String id(String name) {
    return path.getOrDefault(name, "");
  }

  @Nullable String text(String name) {
    List<String> values = request.query().getOrDefault(name, List.of());
    return values.isEmpty() || values.get(0).isBlank() ? null : values.get(0).trim();
  }

  String text(String name, String absent) {
    String value = text(name);
    return value == null ? absent : value;
  }

  String required(String name) {
    String value = text(name);
    if (value == null) {
      throw VendorRefusal.invalid("query", name, "Field required", "missing");
    }
    return value;
  }

  /** Values given repeatedly or separated by commas; empty where the parameter is absent. */
  List<String> list(String name) {
    return request.query().getOrDefault(name, List.of()).stream()
        .flatMap(value -> Arrays.stream(value.split(",")))
        .map(String::trim)
        .filter(value -> !value.isEmpty())
        .toList();
  }

  /** Whether a list parameter is absent or names the value, in any case. */
  boolean admits(String name, @Nullable String value) {
    List<String> wanted = list(name);
    return wanted.isEmpty() || wanted.stream().anyMatch(each -> each.equalsIgnoreCase(value));
  }

  int limit(int absent, int max) {
    return (int) integer("limit", absent, 1, max);
  }

  long integer(String name, long absent, long min, long max) {
    String value = text(name);
    if (value == null) {
      return absent;
    }
    long number = parsed(name, value);
    if (number < min) {
      String message = "Input should be greater than or equal to " + min;
      throw VendorRefusal.invalid("query", name, message, "greater_than_equal");
    }
    if (number > max) {
      String message = "Input should be less than or equal to " + max;
      throw VendorRefusal.invalid("query", name, message, "less_than_equal");
    }
    return number;
  }

  private static long parsed(String name, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw VendorRefusal.invalid("query", name, "Input should be a valid integer", "int_parsing");
    }
  }

  double number(String name, double absent) {
    String value = text(name);
    if (value == null) {
      return absent;
    }
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw VendorRefusal.invalid("query", name, "Input should be a valid number", "float_parsing");
    }
  }

  /** Whether a value keeps the bounds {@code min_<name>} and {@code max_<name>}. */
  boolean within(String name, double value) {
    return value >= number("min_" + name, Double.NEGATIVE_INFINITY)
        && value <= number("max_" + name, Double.POSITIVE_INFINITY);
  }

  boolean flag(String name, boolean absent) {
    return Boolean.parseBoolean(text(name, String.valueOf(absent)));
  }

  /** One of the allowed words, the first where the parameter is absent. */
  String choice(String name, String... allowed) {
    return oneOf(name, text(name, allowed[0]), allowed);
  }

  /** One of the allowed words, nothing where the parameter is absent. */
  @Nullable String optionalChoice(String name, String... allowed) {
    String value = text(name);
    return value == null ? null : oneOf(name, value, allowed);
  }

  private static String oneOf(String name, String value, String... allowed) {
    String lower = value.toLowerCase(Locale.ROOT);
    if (Arrays.stream(allowed).noneMatch(each -> each.equalsIgnoreCase(lower))) {
      String message = "Input should be '" + String.join("', '", allowed) + "'";
      throw VendorRefusal.invalid("query", name, message, "enum");
    }
    return lower;
  }

  boolean descending() {
    return choice("order", "desc", "asc").equals("desc");
  }

  /** The window of Unix seconds that is asked for, up to now and as long as given by default. */
  Span span(Duration absent) {
    long end = integer("end_time", now.getEpochSecond(), 0, Long.MAX_VALUE);
    long start = integer("start_time", end - absent.toSeconds(), 0, Long.MAX_VALUE);
    return Span.of(start, end);
  }

  /** The window where the vendor insists on both ends. */
  Span requiredSpan() {
    required("start_time");
    required("end_time");
    return span(Duration.ZERO);
  }

  /** The market of venue A with one of its names. */
  Market market(String name) {
    return universe.byAnyName(name).orElseThrow(() -> VendorRefusal.notFound("Market", name));
  }

  /** The market of venue A, if data of its trading exists. */
  Market traded(String name) {
    Market market = market(name);
    if (market.archived()) {
      throw VendorRefusal.marketClosed(name);
    }
    return market;
  }

  /** The market of venue A, if it is still traded. */
  Market live(String name) {
    Market market = market(name);
    if (market.closed(now)) {
      throw VendorRefusal.marketClosed(name);
    }
    return market;
  }

  /** The wallet of venue A that a variable of the path names. */
  Wallet wallet(String name) {
    return Wallet.hex(id(name));
  }
}
