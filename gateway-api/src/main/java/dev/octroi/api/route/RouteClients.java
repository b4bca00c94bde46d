package dev.octroi.api.route;

import dev.octroi.api.group.GroupContext;
import dev.octroi.api.settings.DataSize;
import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.payments.flow.ResourceUrl;
import dev.octroi.services.upstream.UpstreamClient;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The connections to the servers of routes, made when a route is first called. Thread-safe. */
final class RouteClients {

  private final GroupContext context;
  private final RouteProxy.Surroundings around;
  private final DataSize cache;
  private final boolean ownCors;
  private final Map<Route, RouteProxy> proxies = new ConcurrentHashMap<>();

  /**
   * @param effects does what is paid for before
   * @param cache what the kept answers of a route may take up
   * @param ownCors whether the gateway itself says which pages may read answers
   */
  RouteClients(
      GroupContext context,
      EffectRunner effects,
      ResourceUrl urls,
      DataSize cache,
      boolean ownCors) {
    this.context = context;
    this.around = new RouteProxy.Surroundings(urls, context.deadlines(), effects);
    this.cache = cache;
    this.ownCors = ownCors;
  }

  RouteProxy of(Route route) {
    return proxies.computeIfAbsent(route, this::opened);
  }

  /** Closes the others: those that no call can have any more. */
  void keepOnly(Collection<Route> routes) {
    proxies
        .keySet()
        .removeIf(
            route -> {
              boolean gone = !routes.contains(route);
              if (gone) {
                context.close(Objects.requireNonNull(proxies.get(route)).client());
              }
              return gone;
            });
  }

  private RouteProxy opened(Route route) {
    UpstreamClient client = context.client(route.upstream());
    Duration fresh = route.settings().cache();
    boolean caches = !fresh.isZero() && cache.bytes() > 0 && !route.settings().streaming();
    return new RouteProxy(
        route,
        client,
        caches
            ? Optional.of(new RouteCache(fresh, cache.bytes(), context.clock()))
            : Optional.empty(),
        around,
        ownCors);
  }
}
