package dev.octroi.api.error;

import dev.octroi.api.group.Addressed;
import dev.octroi.api.group.ErrorShape;
import dev.octroi.api.group.Group;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;

/**
 * Gives errors the shape of the group that was addressed (decisions, error shapes). A filter and
 * not part of the mapper, because only a filter is given the request on every implementation.
 */
public final class ErrorShapes implements ContainerResponseFilter {

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (response.getEntity() instanceof ErrorAnswer error) {
      ErrorShape shape =
          error.flat()
              ? ErrorShape.FLAT
              : Addressed.group(request).map(Group::errors).orElse(ErrorShape.FLAT);
      response.setEntity(ErrorBodies.of(error, shape));
    }
  }
}
