package dev.octroi.api.limit;

import dev.octroi.api.limit.CountedCalls.Counted;
import dev.octroi.payments.Admission;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

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

  /** A free resource whose calls count among the unpaid ones of their address. */
  @Documented
  @NameBinding
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.TYPE, ElementType.METHOD})
  public @interface Counted {}
}
