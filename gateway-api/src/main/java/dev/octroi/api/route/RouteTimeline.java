package dev.octroi.api.route;

import dev.octroi.api.change.Changes.Line;
import dev.octroi.api.group.LiveGroups.Edition;
import dev.octroi.api.group.SoldRow.ListedBy;
import dev.octroi.api.group.Upstream;
import dev.octroi.api.path.OwnPaths;
import dev.octroi.api.settings.Given;
import dev.octroi.api.settings.RouteSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The routes that were, are and will be, as far as it is written down. Immutable. */
public final class RouteTimeline {

  static final String PREFIX = "gateway.routes.";
  private static final String FILE = "first";

  /** A line of {@code rules}: perhaps a method, the path, the price. */
  private static final Pattern RULE = Pattern.compile("[^/]*(/.*)=[^=]*");

  private final List<Step> steps;
  private final List<String> problems;

  /**
   * @param steps the earliest first, which holds from ever
   * @param problems what keeps a route from being sold, one sentence each
   */
  RouteTimeline(List<Step> steps, Collection<String> problems) {
    this.steps = List.copyOf(steps);
    this.problems = List.copyOf(problems);
  }

  /**
   * What a route is made of; the same makes the same route.
   *
   * @param lines what the file says of it
   * @param changed what changes say in place of it, by whole keys
   */
  public record Source(
      String word, RouteSettings settings, List<Given> lines, Map<String, Line> changed) {

    ListedBy listed(String setting) {
      String key = PREFIX + word + "." + setting;
      Line line = changed.get(key);
      if (line != null) {
        String name = line.change().name();
        return new ListedBy(key + " (" + name + ")", name, Optional.of(line.change().from()));
      }
      String place =
          lines.stream()
              .filter(given -> given.name().equals(key))
              .map(given -> " (" + given.place() + ")")
              .findFirst()
              .orElse("");
      return new ListedBy(key + place, FILE, Optional.empty());
    }
  }

  /**
   * The routes from a moment on.
   *
   * @param sources of all routes, disabled ones among them
   * @param routes those that are sold
   */
  record Step(
      Instant from,
      List<Source> sources,
      Map<Source, Route> routes,
      RouteTable table,
      Edition edition) {}

  Step at(Instant time) {
    int at = steps.size() - 1;
    while (at > 0 && steps.get(at).from().isAfter(time)) {
      at--;
    }
    return steps.get(at);
  }

  /** Whether it is the same at all times. */
  boolean isConstant() {
    return steps.size() == 1;
  }

  /** Each route that was read. */
  Map<Source, Route> routes() {
    Map<Source, Route> all = new LinkedHashMap<>();
    steps.forEach(step -> all.putAll(step.routes()));
    return all;
  }

  /** What keeps a route from being sold, one sentence each. */
  public List<String> problems() {
    return problems;
  }

  /** The groups of a moment. */
  public Edition edition(Instant time) {
    return at(time).edition();
  }

  /** All routes of a moment, disabled ones among them. */
  public List<Source> sources(Instant time) {
    return at(time).sources();
  }

  /** Whom routes ask from a moment on. */
  public List<Upstream> upstreams(Instant from) {
    return since(from).map(Route::upstream).toList();
  }

  /**
   * Paths and words that the gateway needs itself, one sentence each.
   *
   * @param words of the groups that the gateway is built with
   */
  public List<String> clashes(Instant from, OwnPaths own, Collection<String> words) {
    List<String> clashes = new ArrayList<>();
    since(from)
        .forEach(
            route -> {
              if (!route.base().isEmpty() && own.holds(route.base())) {
                clashes.add(taken(route, "path is " + route.base()));
              }
              route.settings().free().stream()
                  .filter(free -> isOwn(own, route.base() + free))
                  .forEach(free -> clashes.add(taken(route, "free has " + free)));
              route.settings().rules().stream()
                  .filter(rule -> isOwn(own, route.base() + RULE.matcher(rule).replaceFirst("$1")))
                  .forEach(rule -> clashes.add(taken(route, "rules has " + rule)));
              if (route.settings().openapi().isPresent()) {
                route.entries().stream()
                    .filter(entry -> isOwn(own, route.base() + entry.pattern().template()))
                    .map(entry -> "openapi names " + entry.method() + " " + entry.pattern())
                    .forEach(named -> clashes.add(taken(route, named)));
              }
              if (words.contains(route.word())) {
                clashes.add(
                    PREFIX
                        + route.word()
                        + ": there is a group "
                        + route.word()
                        + "; take another word");
              }
            });
    return clashes;
  }

  /** A route at the root has the gateway's home. */
  private static boolean isOwn(OwnPaths own, String path) {
    return !path.equals("/") && own.holds(path.replaceFirst("/\\*$", ""));
  }

  private static String taken(Route route, String what) {
    return PREFIX
        + route.word()
        + "."
        + what
        + ", which the gateway serves itself; take another, or move the gateway's own paths by"
        + " gateway.http.own-prefix";
  }

  private Stream<Route> since(Instant from) {
    Set<Route> routes = new LinkedHashSet<>(at(from).routes().values());
    steps.stream()
        .filter(step -> step.from().isAfter(from))
        .forEach(step -> routes.addAll(step.routes().values()));
    return routes.stream();
  }
}
