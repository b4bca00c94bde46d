package dev.octroi.services.upstream;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The neutral venue words of the specification ({@code venue-a}) and the names that an upstream
 * uses for them: configuration, never code. Immutable.
 */
public final class VenueWords {

  private final Map<String, String> realByNeutral;
  private final Map<String, String> neutralByReal = new HashMap<>();
  private final Map<Pattern, String> patterns = new LinkedHashMap<>();

  /**
   * @param namesByNeutral such as {@code venue-a} to a venue's name; words that are missing stay. A
   *     venue that an upstream calls differently in its bodies has several names, separated by
   *     commas: the first is sent, all are recognised.
   */
  public VenueWords(Map<String, String> namesByNeutral) {
    Map<String, String> firstNames = new HashMap<>();
    namesByNeutral.forEach(
        (neutral, names) -> {
          for (String name : names.split(",", -1)) {
            firstNames.putIfAbsent(neutral, name.strip());
            neutralByReal.put(name.strip(), neutral);
          }
        });
    this.realByNeutral = Map.copyOf(firstNames);
    this.realByNeutral.forEach(
        (neutral, real) -> {
          String either = String.join("[-_]", neutral.split("-", -1));
          patterns.put(
              Pattern.compile("(?<![A-Za-z0-9])" + either + "(?![A-Za-z0-9])"),
              Matcher.quoteReplacement(real));
        });
  }

  public static VenueWords none() {
    return new VenueWords(Map.of());
  }

  /** What the upstream calls this word; the word itself when it has no other name. */
  public String real(String neutral) {
    return realByNeutral.getOrDefault(neutral, neutral);
  }

  /** The neutral word for the upstream's name; the name itself when it is none. */
  public String neutral(String real) {
    return neutralByReal.getOrDefault(real, real);
  }

  /**
   * The text with every neutral word replaced, in either spelling: {@code /venue-a/markets}, {@code
   * venue_a_market_id}. For path templates and parameter names, never for a caller's values.
   */
  public String in(String template) {
    String text = template;
    for (Map.Entry<Pattern, String> word : patterns.entrySet()) {
      text = word.getKey().matcher(text).replaceAll(word.getValue());
    }
    return text;
  }

  @Override
  public String toString() {
    return realByNeutral.toString();
  }
}
