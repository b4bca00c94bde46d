package dev.octroi.api.path;

import dev.octroi.api.error.ErrorAnswer;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;

/**
 * Says 400 instead of 500 where the container failed on a request's target before {@link PathRules}
 * saw it, as CXF does on a broken query.
 */
public final class MalformedTargets implements ContainerResponseFilter {

  private static final int UNFORESEEN = 500;

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (response.getEntity() instanceof ErrorAnswer error && error.status() == UNFORESEEN) {
      PathRules.fault(request.getUriInfo())
          .ifPresent(
              fault -> {
                response.setStatus(fault.status());
                response.setEntity(ErrorAnswer.flat(fault.status(), fault.message()));
              });
    }
  }
}
