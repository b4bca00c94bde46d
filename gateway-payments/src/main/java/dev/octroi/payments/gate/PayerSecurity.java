package dev.octroi.payments.gate;

import dev.octroi.payments.Payment;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** The host's security context with the payment as the caller's identity. */
record PayerSecurity(Payment payment, @Nullable SecurityContext host) implements SecurityContext {

  @Override
  public Principal getUserPrincipal() {
    return payment;
  }

  @Override
  public boolean isUserInRole(String role) {
    return host != null && host.isUserInRole(role);
  }

  @Override
  public boolean isSecure() {
    return host != null && host.isSecure();
  }

  @Override
  public String getAuthenticationScheme() {
    return "x402";
  }
}
