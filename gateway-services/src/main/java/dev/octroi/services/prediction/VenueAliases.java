package dev.octroi.services.prediction;

import dev.octroi.services.read.Parameter;
import dev.octroi.services.upstream.VenueWords;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Turns the configured real names of venues in a caller's query into the neutral words. */
final class VenueAliases {

  private static final List<String> VENUES =
      List.of("venue-a", "venue-b", "venue-c", "venue-d", "venue-e", "venue-f");

  private final VenueWords words;

  VenueAliases(VenueWords words) {
    this.words = words;
  }

  /** The query under the names that the row lists, with neutral providers. */
  Map<String, List<String>> neutral(PredictionRead row, Map<String, List<String>> query) {
    Set<String> listed = row.parameters().stream().map(Parameter::name).collect(Collectors.toSet());
    Map<String, List<String>> neutral = new LinkedHashMap<>();
    query.forEach(
        (name, values) -> {
          String known = neutralName(name, listed);
          neutral.merge(
              known,
              known.startsWith("providers")
                  ? values.stream().map(this::providers).toList()
                  : values,
              VenueAliases::both);
        });
    return neutral;
  }

  /** A name that stands for a listed one; every other name is the vendor's own. */
  private String neutralName(String name, Set<String> listed) {
    for (String venue : VENUES) {
      String real = words.real(venue) + "_";
      if (name.startsWith(real)) {
        String candidate = venue.replace('-', '_') + "_" + name.substring(real.length());
        if (listed.contains(candidate)) {
          return candidate;
        }
      }
    }
    return name;
  }

  private String providers(String value) {
    return Arrays.stream(value.split(",", -1))
        .map(String::strip)
        .map(words::neutral)
        .collect(Collectors.joining(","));
  }

  private static List<String> both(List<String> some, List<String> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }
}
