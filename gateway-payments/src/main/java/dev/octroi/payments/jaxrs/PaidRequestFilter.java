package dev.octroi.payments.jaxrs;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.flow.IncomingCall;
import dev.octroi.payments.flow.PaidCall;
import dev.octroi.payments.flow.PaymentFlow;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.util.Optional;

/** Stands before one paid method. */
final class PaidRequestFilter implements ContainerRequestFilter {

  private final PaymentFlow flow;
  private final PricedMethod method;

  PaidRequestFilter(PaymentFlow flow, PricedMethod method) {
    this.flow = flow;
    this.method = method;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    IncomingCall call = flow.incoming(JaxrsExchange.of(request));
    CallProperties.gated(request, new CallProperties.Gated(call, method.produces()));
    try {
      Optional<PaidCall> paid = flow.admit(call, method.endpoint());
      paid.ifPresent(it -> CallProperties.begin(request, it));
      paid.flatMap(PaidCall::replay).map(JaxrsAnswer::response).ifPresent(request::abortWith);
    } catch (CallRefused refused) {
      request.abortWith(JaxrsAnswer.response(refused.answer()));
    }
  }
}
