package dev.octroi.api.settings;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Names that become path segments. They are held to plain words, so that no alias can smuggle a
 * path trick or stand for two things.
 */
final class Aliases {

  static final List<String> VENUE_WORDS =
      List.of(
          "venue-a", "venue-b", "venue-c", "venue-d", "venue-e", "venue-f", "exchange-a", "oracle");

  private static final Pattern SEGMENT = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");

  /** Words below {@code /v1} that are not to be had. */
  private static final Set<String> TAKEN = Set.of("marketplace", "v1", "api", "health");

  private Aliases() {}

  static void check(Map<String, String> venues, Map<String, String> aliases) {
    Set<String> names = new HashSet<>();
    venues.forEach(
        (word, all) -> {
          require(VENUE_WORDS.contains(word), "venues." + word + " is no venue word", VENUE_WORDS);
          for (String name : all.split(",", -1)) {
            checkName(word, name.strip(), names);
          }
        });
    aliases
        .keySet()
        .forEach(
            alias -> {
              requireSegment("aliases." + alias, alias);
              require(
                  !TAKEN.contains(alias),
                  "aliases." + alias + " is a path of the gateway's own",
                  List.of());
            });
  }

  private static void checkName(String word, String name, Set<String> earlier) {
    requireSegment("venues." + word, name);
    require(earlier.add(name), "venues." + word + " repeats the name " + name, List.of());
    require(
        name.equals(word) || !VENUE_WORDS.contains(name),
        "venues." + word + " takes another venue's word",
        List.of());
  }

  static void requireVenue(String word) {
    require(VENUE_WORDS.contains(word), word + " is no venue word", VENUE_WORDS);
  }

  private static void requireSegment(String setting, String value) {
    require(
        SEGMENT.matcher(value).matches(),
        setting + ": '" + value + "' is not a plain path word (a-z, 0-9, dash)",
        List.of());
  }

  private static void require(boolean holds, String problem, List<String> instead) {
    if (!holds) {
      throw new IllegalArgumentException(
          instead.isEmpty() ? problem : problem + "; there are " + String.join(", ", instead));
    }
  }
}
