package dev.octroi.api.wallet;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.wallet.OwnerGate.CallerGate.OwnerIfAny;
import dev.octroi.api.wallet.OwnerGate.OwnerOnly;
import dev.octroi.api.wallet.OwnerGate.WalletGate.OwnerOrWallet;
import dev.octroi.api.wallet.WalletResource.OwnerServices;
import dev.octroi.payments.SignedInWallet;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.flow.SignIns;
import dev.octroi.payments.jaxrs.CallerSecurity;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import dev.octroi.payments.x402.PaymentHeaders;
import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.security.Principal;
import java.util.Optional;

/**
 * Lets only the owner of a good key pass, by the same credentials as on paid calls (decisions,
 * credentials); a call with a key that is not good is counted as an unpaid one.
 */
@OwnerOnly
public final class OwnerGate implements ContainerRequestFilter {

  private static final String API_KEY = "x-api-key";
  private static final String KEY_PREFIX = "sk-";
  private static final String BEARER = "bearer ";

  private final OwnerServices services;

  public OwnerGate(OwnerServices services) {
    this.services = services;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    Optional<String> bearer = bearer(request);
    Optional<String> header = header(request);
    if (bearer.isPresent() && header.isPresent() && !bearer.equals(header)) {
      request.abortWith(
          ErrorAnswer.flat(400, "Authorization and x-api-key differ; send one.").response());
      return;
    }
    Optional<ApiKey> key = bearer.or(() -> header).flatMap(secret -> good(request, secret));
    if (key.isPresent()) {
      request.setSecurityContext(
          new CallerSecurity(new KeyOwner(key.get()), "api-key", request.getSecurityContext()));
    } else {
      request.abortWith(unauthorized());
    }
  }

  /** Whether a request names a key, good or not. */
  static boolean namesKey(ContainerRequestContext request) {
    return bearer(request).or(() -> header(request)).isPresent();
  }

  private Optional<ApiKey> good(ContainerRequestContext request, String secret) {
    return services
        .accounts()
        .recognise(secret, () -> services.admission().unpaid(JaxrsExchange.of(request)));
  }

  private static Optional<String> header(ContainerRequestContext request) {
    return Optional.ofNullable(request.getHeaderString(API_KEY))
        .map(String::strip)
        .filter(value -> value.startsWith(KEY_PREFIX));
  }

  private static Optional<String> bearer(ContainerRequestContext request) {
    return Optional.ofNullable(request.getHeaderString(HttpHeaders.AUTHORIZATION))
        .filter(value -> value.regionMatches(true, 0, BEARER, 0, BEARER.length()))
        .map(value -> value.substring(BEARER.length()).strip());
  }

  private static Response unauthorized() {
    return Response.fromResponse(ErrorAnswer.flat(401, "A good API key is required.").response())
        .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer")
        .build();
  }

  /** Puts {@link OwnerGate} before a resource. */
  @NameBinding
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.TYPE, ElementType.METHOD})
  @interface OwnerOnly {}

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

  /**
   * Lets payers pass by their payments, or signed in with their wallets, and owners by their keys;
   * a key that is not good is 401, as everywhere. Where both are sent the payment counts, as on
   * paid calls.
   */
  @OwnerIfAny
  public static final class CallerGate implements ContainerRequestFilter {

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

  /**
   * Lets owners pass by their keys, and payers who sign in with their wallets where they may. A
   * caller with neither is given a message to sign.
   */
  @OwnerOrWallet
  public static final class WalletGate implements ContainerRequestFilter {

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
}
