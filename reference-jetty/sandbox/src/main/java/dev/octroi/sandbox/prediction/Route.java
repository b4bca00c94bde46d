package dev.octroi.sandbox.prediction;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A path of the vendor.
 *
 * @param read as it is defined: method, space and path, variables in braces
 * @param segments of the path
 */
record Route(String read, List<String> segments) {

  /** A path that was asked for, with the values of its variables. */
  record Match(String read, Map<String, String> variables) {}

  private static Route of(String read) {
    return new Route(read, segments(read));
  }

  /** The paths in the order in which they are tried: a literal segment beats a variable. */
  static List<Route> all(List<String> reads) {
    return reads.stream()
        .map(Route::of)
        .sorted(Comparator.comparing(route -> route.read.chars().filter(c -> c == '{').count()))
        .toList();
  }

  /** Method and path, the method as the first segment. */
  private static List<String> segments(String read) {
    return Arrays.asList(read.replaceFirst(" ", "").split("/", -1));
  }

  static Optional<Match> find(List<Route> routes, String method, String path) {
    List<String> asked = segments(method + " " + path);
    return routes.stream()
        .filter(route -> route.fits(asked))
        .findFirst()
        .map(route -> new Match(route.read, route.variables(asked)));
  }

  private boolean fits(List<String> asked) {
    if (asked.size() != segments.size()) {
      return false;
    }
    for (int at = 0; at < asked.size(); at++) {
      if (!isVariable(at) && !segments.get(at).equals(asked.get(at))) {
        return false;
      }
    }
    return true;
  }

  private boolean isVariable(int at) {
    return segments.get(at).startsWith("{");
  }

  private Map<String, String> variables(List<String> asked) {
    Map<String, String> variables = new HashMap<>();
    for (int at = 0; at < asked.size(); at++) {
      if (isVariable(at)) {
        String name = segments.get(at);
        variables.put(name.substring(1, name.length() - 1), asked.get(at));
      }
    }
    return variables;
  }
}
