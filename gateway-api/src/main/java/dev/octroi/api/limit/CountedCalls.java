package dev.octroi.api.limit;

import dev.octroi.payments.Admission;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;

/** Lets an address call {@link Counted} resources as often as it may call without paying. */
@Counted
public final class CountedCalls implements ContainerRequestFilter {

  private final Admission admission;

  public CountedCalls(Admission admission) {
    this.admission = admission;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    admission.unpaid(JaxrsExchange.of(request));
  }
}
