package dev.octroi.payments.gate;

import dev.octroi.payments.CallerSecurity;
import dev.octroi.payments.Payments;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.ext.InterceptorContext;
import java.util.Optional;

/** What the gate leaves at a request for its response side and for the method. */
final class CallProperties {

  private static final String GATED = "dev.octroi.payments.gated";
  private static final String HEAD = "dev.octroi.payments.head";
  private static final String CALL = "dev.octroi.payments.call";

  private CallProperties() {}

  /** Notes the method as it came: Jersey serves HEAD by turning it into GET. */
  static void received(ContainerRequestContext request) {
    if (request.getMethod().equals(HttpMethod.HEAD)) {
      request.setProperty(HEAD, true);
    }
  }

  static boolean isHead(ContainerRequestContext request) {
    return request.getProperty(HEAD) != null || request.getMethod().equals(HttpMethod.HEAD);
  }

  /** Notes that the request went through the gate, whatever the gate decided. */
  static void gated(ContainerRequestContext request, IncomingCall call) {
    request.setProperty(GATED, call);
  }

  /** The request as the gate saw it; empty if it never came by. */
  static Optional<IncomingCall> gated(ContainerRequestContext request) {
    return Optional.ofNullable((IncomingCall) request.getProperty(GATED));
  }

  static void begin(ContainerRequestContext request, PaidCall call) {
    request.setProperty(CALL, call);
    request.setProperty(Payments.DEADLINE, call.deadline());
    request.setSecurityContext(new CallerSecurity(call, "x402", request.getSecurityContext()));
  }

  static Optional<PaidCall> call(ContainerRequestContext request) {
    return Optional.ofNullable((PaidCall) request.getProperty(CALL));
  }

  static Optional<PaidCall> call(InterceptorContext writing) {
    return Optional.ofNullable((PaidCall) writing.getProperty(CALL));
  }
}
