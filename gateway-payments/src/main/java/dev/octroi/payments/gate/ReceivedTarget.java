package dev.octroi.payments.gate;

import jakarta.annotation.Priority;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import org.jspecify.annotations.Nullable;

/**
 * The first filter of all: notes the path and query that were asked for, before a filter turns an
 * alias into the path that it stands for. A payer knows no other address.
 */
@Priority(Integer.MIN_VALUE)
@PreMatching
final class ReceivedTarget implements ContainerRequestFilter {

  private static final String PROPERTY = "dev.octroi.payments.target";

  private record Target(String path, @Nullable String query) {}

  @Override
  public void filter(ContainerRequestContext request) {
    try {
      request.setProperty(PROPERTY, now(request));
    } catch (IllegalArgumentException e) {
      // Jersey makes a URI of every query. A target that is none is refused before it has a price.
    }
  }

  /** The path below the application, encoded as received and with one leading slash. */
  static String path(ContainerRequestContext request) {
    return of(request).path();
  }

  /** The query, encoded as received; null where there is none. */
  static @Nullable String query(ContainerRequestContext request) {
    return of(request).query();
  }

  private static Target of(ContainerRequestContext request) {
    return request.getProperty(PROPERTY) instanceof Target target ? target : now(request);
  }

  private static Target now(ContainerRequestContext request) {
    return new Target(
        CanonicalPath.below(request.getUriInfo()),
        request.getUriInfo().getRequestUri().getRawQuery());
  }
}
