package dev.octroi.api.openapi;

import jakarta.ws.rs.Consumes;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which refusals a route knows, besides the challenge. */
final class Statuses {

  private static final List<Integer> ALL = List.of(404, 429, 503);
  private static final List<Integer> PAID = List.of(400, 401, 403, 409, 431, 500, 502);
  private static final List<Integer> BODY = List.of(400, 413, 415);
  private static final List<Integer> ASKING = List.of(400, 401, 403);

  private Statuses() {}

  static SortedSet<Integer> of(Route route, Chapter chapter) {
    SortedSet<Integer> statuses = new TreeSet<>(ALL);
    if (route.isPaid()) {
      statuses.addAll(PAID);
    }
    if (takesBody(route)) {
      statuses.addAll(BODY);
    }
    if (!Security.isOpen(route)) {
      statuses.addAll(ASKING);
    }
    if (route.isBound("SandboxOnly")) {
      statuses.add(403);
    }
    if (route.described().filter(one -> one.headers().length > 0).isPresent()) {
      statuses.add(401);
    }
    if (route.isPaid()) {
      chapter
          .group()
          .ifPresent(group -> group.profile().codes().forEach(code -> statuses.add(code.status())));
    }
    return statuses;
  }

  private static boolean takesBody(Route route) {
    return route.verb().equals("PUT")
        || route.verb().equals("POST")
        || route.method().isAnnotationPresent(Consumes.class);
  }
}
