package dev.octroi.api.wallet;

import dev.octroi.api.wallet.CallerGate.OwnerIfAny;
import dev.octroi.api.wallet.OwnerGate.KeyOwner;
import dev.octroi.api.wallet.WalletResource.OwnerServices;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.x402.PaymentHeaders;
import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.SecurityContext;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;

/**
 * Lets payers pass by their payments, or signed in with their wallets, and owners by their keys; a
 * key that is not good is 401, as everywhere. Where both are sent the payment counts, as on paid
 * calls.
 */
@OwnerIfAny
public final class CallerGate implements ContainerRequestFilter {

  private final OwnerGate owners;
  private final OwnerServices services;

  public CallerGate(OwnerGate owners, OwnerServices services) {
    this.owners = owners;
    this.services = services;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    boolean pays =
        request.getHeaderString(PaymentHeaders.PAYMENT_SIGNATURE) != null
            || request.getHeaderString(PaymentHeaders.X_PAYMENT) != null;
    if (pays) {
      return;
    }
    if (OwnerGate.namesKey(request)) {
      owners.filter(request);
    } else {
      services.signIns().ifPresent(signIns -> WalletGate.signIn(request, signIns));
    }
  }

  /** The good key that a request came with; only behind this gate. */
  public static Optional<ApiKey> owner(SecurityContext security) {
    return security.getUserPrincipal() instanceof KeyOwner owner
        ? Optional.of(owner.key())
        : Optional.empty();
  }

  /** Puts {@link CallerGate} before a resource. */
  @NameBinding
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.TYPE, ElementType.METHOD})
  public @interface OwnerIfAny {}
}
