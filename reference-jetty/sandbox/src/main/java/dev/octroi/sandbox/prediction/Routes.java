package dev.octroi.sandbox.prediction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The paths of the vendor, written with the neutral venue words and matched with the vendor's. A
 * literal segment beats a variable.
 */
final class Routes {

  /** What answers a path: a JSON value, or a whole answer where the status is not 200. */
  interface Read extends Function<Ask, Object> {}

  /** A path that matched, with the values of its variables. */
  record Match(Read read, Map<String, String> variables) {}

  private record Route(String method, List<String> segments, Read read) {

    private long variableCount() {
      return segments.stream().filter(Routes::variable).count();
    }
  }

  private final List<Route> routes = new ArrayList<>();

  Routes get(String path, Read read) {
    return add("GET", path, read);
  }

  Routes post(String path, Read read) {
    return add("POST", path, read);
  }

  private Routes add(String method, String path, Read read) {
    List<String> segments =
        Arrays.stream(path.substring(1).split("/")).map(Venue::onTheWire).toList();
    routes.add(new Route(method, segments, read));
    routes.sort(Comparator.comparingLong(Route::variableCount));
    return this;
  }

  Optional<Match> match(String method, String path) {
    List<String> segments = Arrays.asList(path.substring(1).split("/"));
    return routes.stream()
        .filter(route -> route.method().equals(method) && fits(route.segments(), segments))
        .findFirst()
        .map(route -> new Match(route.read(), variables(route.segments(), segments)));
  }

  /** The paths of a method as the vendor writes them, variables as {@code :name}. */
  List<String> paths(String method) {
    return routes.stream()
        .filter(route -> route.method().equals(method))
        .map(route -> route.segments().stream().collect(Collectors.joining("/", "/", "")))
        .toList();
  }

  private static boolean fits(List<String> route, List<String> segments) {
    if (route.size() != segments.size()) {
      return false;
    }
    for (int i = 0; i < route.size(); i++) {
      if (!variable(route.get(i)) && !route.get(i).equals(segments.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static Map<String, String> variables(List<String> route, List<String> segments) {
    Map<String, String> variables = new HashMap<>();
    for (int i = 0; i < route.size(); i++) {
      if (variable(route.get(i))) {
        variables.put(route.get(i).substring(1), segments.get(i));
      }
    }
    return variables;
  }

  private static boolean variable(String segment) {
    return segment.startsWith(":");
  }
}
