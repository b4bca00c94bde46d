package dev.octroi.api.wallet;

import dev.octroi.payments.account.ApiKey;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;

/**
 * The caller of a free endpoint, known by a good key.
 *
 * @param key his
 */
record KeyOwner(ApiKey key) implements Principal {

  /** The key that asks; only behind {@link OwnerGate}. */
  static ApiKey of(SecurityContext security) {
    if (security.getUserPrincipal() instanceof KeyOwner owner) {
      return owner.key();
    }
    throw new IllegalStateException("a key's owner was served without the gate");
  }

  @Override
  public String getName() {
    return key.id().toString();
  }
}
