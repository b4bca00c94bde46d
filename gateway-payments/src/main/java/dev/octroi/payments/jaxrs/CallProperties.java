package dev.octroi.payments.jaxrs;

import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Payment;
import dev.octroi.payments.flow.IncomingCall;
import dev.octroi.payments.flow.PaidCall;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.InterceptorContext;
import java.util.List;
import java.util.Optional;

/** What the request side of a paid method leaves for its response side and for the method. */
final class CallProperties {

  private static final String GATED = "dev.octroi.payments.gated";
  private static final String PAID = "dev.octroi.payments.call";
  private static final String AGAIN = "dev.octroi.payments.again";

  /**
   * A request that was admitted or refused.
   *
   * @param produces the media types that its method declares
   */
  record Gated(IncomingCall call, List<MediaType> produces) {}

  private CallProperties() {}

  /** Notes that payments have looked at the request, whatever they decide. */
  static void gated(ContainerRequestContext request, Gated gated) {
    request.setProperty(GATED, gated);
  }

  /** The request as payments saw it; empty if they never did. */
  static Optional<Gated> gated(ContainerRequestContext request) {
    return Optional.ofNullable((Gated) request.getProperty(GATED));
  }

  static Optional<Gated> gated(InterceptorContext writing) {
    return Optional.ofNullable((Gated) writing.getProperty(GATED));
  }

  static void begin(ContainerRequestContext request, PaidCall call) {
    request.setProperty(PAID, call);
    request.setProperty(Payment.DEADLINE, call.deadline());
    request.setSecurityContext(new CallerSecurity(call, "x402", request.getSecurityContext()));
  }

  /** Notes what was sold before and is given again. */
  static void again(ContainerRequestContext request, HttpAnswer sold) {
    request.setProperty(AGAIN, sold);
  }

  /** What is given again in place of the method's answer; empty if the method is to run. */
  static Optional<HttpAnswer> again(ContainerRequestContext request) {
    return Optional.ofNullable((HttpAnswer) request.getProperty(AGAIN));
  }

  static Optional<PaidCall> call(ContainerRequestContext request) {
    return Optional.ofNullable((PaidCall) request.getProperty(PAID));
  }

  static Optional<PaidCall> call(InterceptorContext writing) {
    return Optional.ofNullable((PaidCall) writing.getProperty(PAID));
  }
}
