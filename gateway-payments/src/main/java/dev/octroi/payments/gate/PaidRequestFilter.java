package dev.octroi.payments.gate;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;

/** Stands before one paid method. */
final class PaidRequestFilter implements ContainerRequestFilter {

  private final PaymentGate gate;
  private final PricedMethod method;

  PaidRequestFilter(PaymentGate gate, PricedMethod method) {
    this.gate = gate;
    this.method = method;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    gate.admit(request, method);
  }
}
