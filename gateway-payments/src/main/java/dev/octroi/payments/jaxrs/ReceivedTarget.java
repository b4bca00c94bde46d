package dev.octroi.payments.jaxrs;

import jakarta.annotation.Priority;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;

/**
 * The first filter of all: notes the path and query that were asked for, before a filter turns an
 * alias into the path that it stands for. A payer knows no other address.
 */
@Priority(Integer.MIN_VALUE)
@PreMatching
final class ReceivedTarget implements ContainerRequestFilter {

  @Override
  public void filter(ContainerRequestContext request) {
    JaxrsExchange.noteTarget(request);
  }
}
