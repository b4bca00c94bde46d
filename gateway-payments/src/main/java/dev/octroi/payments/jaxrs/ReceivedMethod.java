package dev.octroi.payments.jaxrs;

import jakarta.annotation.Priority;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;

/** The last filter before matching: sees the HTTP method before a container rewrites it. */
@Priority(Integer.MAX_VALUE)
@PreMatching
final class ReceivedMethod implements ContainerRequestFilter {

  @Override
  public void filter(ContainerRequestContext request) {
    JaxrsExchange.noteMethod(request);
  }
}
