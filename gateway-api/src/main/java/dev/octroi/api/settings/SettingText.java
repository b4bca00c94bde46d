package dev.octroi.api.settings;

import dev.octroi.payments.Usd;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads single values from text; the message of what it throws says what a good value is. */
final class SettingText {

  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9}) ?(ms|s|min|h|d)");

  private static final Map<Class<?>, Function<String, Object>> READERS =
      Map.ofEntries(
          Map.entry(String.class, text -> text),
          Map.entry(boolean.class, SettingText::bool),
          Map.entry(int.class, SettingText::integer),
          Map.entry(Integer.class, SettingText::integer),
          Map.entry(Duration.class, SettingText::duration),
          Map.entry(DataSize.class, DataSize::parse),
          Map.entry(Secret.class, Secret::new),
          Map.entry(Usd.class, Usd::parse),
          Map.entry(Path.class, SettingText::path),
          Map.entry(URI.class, SettingText::address));

  private SettingText() {}

  static boolean reads(Class<?> type) {
    return READERS.containsKey(type) || type.isEnum();
  }

  static Object read(Class<?> type, String text) {
    if (type.isEnum()) {
      return constant(type, text);
    }
    Function<String, Object> reader = READERS.get(type);
    if (reader == null) {
      throw new IllegalStateException("no setting can be a " + type.getName());
    }
    return reader.apply(text);
  }

  /** The words that an enum's settings take, in the order of declaration. */
  static List<String> words(Class<?> type) {
    return Arrays.stream(type.getEnumConstants()).map(c -> Words.ofConstant((Enum<?>) c)).toList();
  }

  private static Object constant(Class<?> type, String text) {
    List<String> words = words(type);
    int at = words.indexOf(text);
    if (at < 0) {
      throw new IllegalArgumentException("it is one of " + String.join(", ", words));
    }
    return type.getEnumConstants()[at];
  }

  private static Object bool(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("it is true or false");
    };
  }

  private static Object integer(String text) {
    try {
      return Integer.valueOf(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("it is a whole number", e);
    }
  }

  private static Object duration(String text) {
    Matcher form = DURATION.matcher(text);
    if (form.matches()) {
      long amount = Long.parseLong(form.group(1));
      return switch (form.group(2)) {
        case "ms" -> Duration.ofMillis(amount);
        case "s" -> Duration.ofSeconds(amount);
        case "min" -> Duration.ofMinutes(amount);
        case "h" -> Duration.ofHours(amount);
        default -> Duration.ofDays(amount);
      };
    }
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "a duration is a number and ms, s, min, h or d, such as 20s", e);
    }
  }

  private static Object path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("it is a path that this machine's files can have", e);
    }
  }

  private static Object address(String text) {
    String expected = "an address is absolute, http or https, without query: https://host/path";
    URI address;
    try {
      address = URI.create(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(expected, e);
    }
    boolean http = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
    if (!http
        || address.getHost() == null
        || address.getRawQuery() != null
        || address.getRawFragment() != null
        || address.getRawUserInfo() != null) {
      throw new IllegalArgumentException(expected);
    }
    return address;
  }
}
