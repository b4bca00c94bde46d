package dev.octroi.api.error;

import dev.octroi.api.error.ErrorAnswer.ErrorBodies;
import dev.octroi.api.group.Addressed;
import dev.octroi.api.group.Group.ErrorShape;
import dev.octroi.payments.HttpAnswer;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.lang.annotation.Annotation;

/**
 * Gives errors the shape of the group that was addressed (decisions, error shapes). A filter and
 * not part of the mapper, because only a filter is given the request on every implementation. An
 * error without a body is an implementation's own, made where it asked no mapper, and is flat.
 */
public final class ErrorShapes implements ContainerResponseFilter {

  private static final Annotation[] NONE = {};

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (response.getStatus() >= 400 && !response.hasEntity() && Addressed.isOurs(request)) {
      response.setEntity(
          ErrorAnswer.flat(response.getStatus()), NONE, MediaType.APPLICATION_JSON_TYPE);
      response.getHeaders().putSingle(HttpHeaders.CACHE_CONTROL, "no-store");
    }
    if (response.getEntity() instanceof ErrorAnswer error) {
      response.setEntity(body(request, error));
    }
  }

  private static byte[] body(ContainerRequestContext request, ErrorAnswer error) {
    ErrorShape shape =
        error.flat()
            ? ErrorShape.FLAT
            : Addressed.group(request)
                .map(group -> group.profile().errors())
                .orElse(ErrorShape.FLAT);
    return ErrorBodies.of(error, shape);
  }

  /** An error in the shape of the group that was addressed. */
  public static HttpAnswer answer(ContainerRequestContext request, ErrorAnswer error) {
    return HttpAnswer.json(error.status(), body(request, error));
  }
}
