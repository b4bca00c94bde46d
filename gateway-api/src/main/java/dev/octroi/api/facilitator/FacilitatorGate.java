package dev.octroi.api.facilitator;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.facilitator.FacilitatorGate.FacilitatorOnly;
import dev.octroi.api.http.ClientAddress;
import dev.octroi.api.limit.AddressRate;
import dev.octroi.api.settings.FacilitatorSettings;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Guards the served facilitator: 404 unless it is served, 429 beyond so many requests a minute from
 * one address, and 401 without the token if there is one. Callers that lack the token are counted
 * apart, and use up nothing of those that have it and come through the same proxy.
 */
@FacilitatorOnly
public final class FacilitatorGate implements ContainerRequestFilter {

  private static final String BEARER = "Bearer ";

  private final FacilitatorSettings settings;
  private final AddressRate rate;
  private final AddressRate failures;

  public FacilitatorGate(FacilitatorSettings settings, Clock clock) {
    this.settings = settings;
    this.rate = new AddressRate(settings.servePerMinute(), clock);
    this.failures = new AddressRate(settings.servePerMinute(), clock);
  }

  @Override
  public void filter(ContainerRequestContext request) {
    refusal(request).ifPresent(request::abortWith);
  }

  private Optional<Response> refusal(ContainerRequestContext request) {
    if (!settings.serve()) {
      return Optional.of(ErrorAnswer.flat(404, "There is no such path.").response());
    }
    boolean welcome = isWelcome(request.getHeaderString(HttpHeaders.AUTHORIZATION));
    AddressRate counted = welcome ? rate : failures;
    Optional<Duration> wait = ClientAddress.of(JaxrsExchange.of(request)).flatMap(counted::count);
    if (wait.isPresent()) {
      return Optional.of(
          ErrorAnswer.flat(429, "Too many requests from this address.")
              .retryAfter(wait.get())
              .response());
    }
    return welcome
        ? Optional.empty()
        : Optional.of(ErrorAnswer.flat(401, "The facilitator's token is required.").response());
  }

  /** In constant time for tokens of the right length. */
  private boolean isWelcome(@Nullable String authorization) {
    String token = settings.serveToken().value();
    return token.isEmpty()
        || (authorization != null
            && authorization.startsWith(BEARER)
            && MessageDigest.isEqual(
                bytes(authorization.substring(BEARER.length()).strip()), bytes(token)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Binds the facilitator's gate to its resource. */
  @NameBinding
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.TYPE, ElementType.METHOD})
  @interface FacilitatorOnly {}
}
