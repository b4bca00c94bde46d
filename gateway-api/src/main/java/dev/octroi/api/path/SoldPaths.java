package dev.octroi.api.path;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.group.Addressed;
import dev.octroi.api.group.ConfiguredGroups;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import dev.octroi.services.ErrorCode;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;

/**
 * Answers 404 for what is not sold under these settings, before a resource is made for it and
 * before a payment is asked for.
 */
@PreMatching
public final class SoldPaths implements ContainerRequestFilter {

  private final ConfiguredGroups groups;

  public SoldPaths(ConfiguredGroups groups) {
    this.groups = groups;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (Addressed.group(JaxrsExchange.of(request)).isEmpty()) {
      return;
    }
    String path = request.getUriInfo().getPath(false);
    if (!groups.serves(path.startsWith("/") ? path : "/" + path)) {
      ErrorCode code = ErrorCode.NOT_FOUND;
      request.abortWith(
          ErrorAnswer.shaped(code.status(), code.code(), "This gateway does not sell that.")
              .response());
    }
  }
}
