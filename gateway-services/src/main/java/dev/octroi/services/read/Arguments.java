package dev.octroi.services.read;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a caller asked of a read, checked, under the specification's names. Equal arguments ask for
 * the same thing, whatever their order was.
 *
 * @param path path parameters
 * @param given listed query parameters that the caller gave; the elements of a list
 * @param defaults listed query parameters that the caller left out, with what is sent instead
 * @param unlisted everything else that the caller sent, to be forwarded
 */
public record Arguments(
    Map<String, String> path,
    Map<String, List<String>> given,
    Map<String, String> defaults,
    Map<String, List<String>> unlisted) {

  /** What a text takes besides its characters. */
  private static final int OVERHEAD = 64;

  /** The value of a listed parameter, from the path, the query or its default. */
  public Optional<String> value(String name) {
    if (path.containsKey(name)) {
      return Optional.ofNullable(path.get(name));
    }
    if (given.containsKey(name)) {
      return given.getOrDefault(name, List.of()).stream().findFirst();
    }
    return Optional.ofNullable(defaults.get(name));
  }

  /** The elements of a list parameter; empty when it was not given. */
  public List<String> values(String name) {
    return given.getOrDefault(name, List.of());
  }

  /** Roughly what they take up in memory, in bytes: callers choose how many and how long. */
  int weight() {
    int weight = 0;
    for (String value : path.values()) {
      weight += OVERHEAD + value.length();
    }
    for (Map<String, List<String>> query : List.of(given, unlisted)) {
      for (Map.Entry<String, List<String>> parameter : query.entrySet()) {
        weight += OVERHEAD + parameter.getKey().length();
        for (String value : parameter.getValue()) {
          weight += OVERHEAD + value.length();
        }
      }
    }
    return weight;
  }

  /** Whether the caller gave it, listed or not. */
  public boolean has(String name) {
    return path.containsKey(name) || given.containsKey(name) || unlisted.containsKey(name);
  }
}
