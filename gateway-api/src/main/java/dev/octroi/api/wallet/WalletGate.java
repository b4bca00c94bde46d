package dev.octroi.api.wallet;

import dev.octroi.api.wallet.WalletGate.OwnerOrWallet;
import dev.octroi.api.wallet.WalletResource.OwnerServices;
import dev.octroi.payments.SignedInWallet;
import dev.octroi.payments.flow.SignIns;
import dev.octroi.payments.jaxrs.CallerSecurity;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;

/**
 * Lets owners pass by their keys, and payers who sign in with their wallets where they may. A
 * caller with neither is given a message to sign.
 */
@OwnerOrWallet
public final class WalletGate implements ContainerRequestFilter {

  private final OwnerGate owners;
  private final OwnerServices services;

  public WalletGate(OwnerGate owners, OwnerServices services) {
    this.owners = owners;
    this.services = services;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    Optional<SignIns> signIns = services.signIns();
    if (signIns.isEmpty() || OwnerGate.namesKey(request)) {
      owners.filter(request);
    } else {
      signIn(request, signIns.get());
    }
  }

  /** Names the wallet as the caller; throws {@link dev.octroi.payments.CallRefused}. */
  static void signIn(ContainerRequestContext request, SignIns signIns) {
    SignedInWallet wallet = signIns.reader(JaxrsExchange.of(request));
    request.setSecurityContext(
        new CallerSecurity(wallet, SignedInWallet.SCHEME, request.getSecurityContext()));
  }

  /** Puts {@link WalletGate} before a resource. */
  @NameBinding
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.TYPE, ElementType.METHOD})
  @interface OwnerOrWallet {}
}
