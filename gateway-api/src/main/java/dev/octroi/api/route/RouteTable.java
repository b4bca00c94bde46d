package dev.octroi.api.route;

import dev.octroi.api.group.ConfiguredGroup;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.Groups;
import dev.octroi.api.group.LiveGroups.Edition;
import dev.octroi.api.group.SoldRow;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The routes of a time. Immutable. */
final class RouteTable {

  /** The longest path first: it is the most specific. */
  private final List<Route> routes;

  RouteTable(List<Route> routes) {
    this.routes =
        routes.stream()
            .sorted(
                Comparator.<Route>comparingInt(route -> -route.base().length())
                    .thenComparing(Route::word))
            .toList();
  }

  List<Route> routes() {
    return routes;
  }

  /** The route that a path below the application belongs to. */
  Optional<Route> of(String path) {
    for (Route route : routes) {
      if (route.holds(path)) {
        return Optional.of(route);
      }
    }
    return Optional.empty();
  }

  /**
   * Whether a more specific route than that of a path lies at another spelling of it, which a
   * server may read as the same.
   */
  boolean isMisspelt(String path) {
    for (Route route : routes) {
      if (route.holds(path)) {
        return false;
      }
      if (Groups.isAtOrBelow(PathPattern.folded(route.base()), PathPattern.folded(path))) {
        return true;
      }
    }
    return false;
  }

  private Optional<SoldRow> row(String method, String path) {
    return of(path).flatMap(route -> route.row(method, path));
  }

  /**
   * The same for those who ask for groups.
   *
   * @param isServed whether this gateway's host serves routes
   */
  Edition edition(BooleanSupplier isServed) {
    Map<Group, ConfiguredGroup> groups = new LinkedHashMap<>();
    routes.stream()
        .sorted(Comparator.comparing(Route::word))
        .forEach(
            route ->
                groups.put(
                    route.group(), new RouteGroup.Rows(route.rows(), route.upstream(), isServed)));
    return new Edition(groups, path -> of(path).map(Route::group), this::row);
  }
}
