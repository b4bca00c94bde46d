package dev.octroi.services.language.route;

import java.util.Optional;
import java.util.stream.Stream;

/** The names that leave the choice of a model to the gateway (specification, versioning, 3). */
public enum Route {
  BEST("auto/best"),
  ECO("auto/eco"),
  PREMIUM("auto/premium"),
  FREE("auto/free"),
  SEARCH("auto/search");

  /** The prefix alone, a route only where a setting allows it. */
  static final String BARE = "auto";

  private final String id;

  Route(String id) {
    this.id = id;
  }

  /** As a request names it. */
  public String id() {
    return id;
  }

  /** The route of that name, if it is one. */
  public static Optional<Route> named(String model) {
    return Stream.of(values()).filter(route -> route.id.equals(model)).findFirst();
  }
}
