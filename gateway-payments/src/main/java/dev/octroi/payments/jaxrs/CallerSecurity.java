package dev.octroi.payments.jaxrs;

import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/**
 * The host's security context with the caller as its principal.
 *
 * @param caller by payment or by API key
 * @param scheme how that was found out
 * @param host what the host knows besides; null where it knows nothing
 */
public record CallerSecurity(Principal caller, String scheme, @Nullable SecurityContext host)
    implements SecurityContext {

  @Override
  public Principal getUserPrincipal() {
    return caller;
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
    return scheme;
  }
}
