package dev.octroi.api.docs;

import dev.octroi.api.docs.SandboxGate.SandboxOnly;
import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.http.ClientAddress;
import dev.octroi.api.http.OwnHosts;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.URI;
import java.util.Optional;

/**
 * Lets only pages of this very gateway at the sandbox's wallet (the documentation and the paywall),
 * in a browser on this very machine. The name that the browser called must be a loopback one, or
 * another site could have its own name point here (DNS rebinding).
 */
@SandboxOnly
public final class SandboxGate implements ContainerRequestFilter {

  private final boolean sandbox;

  public SandboxGate(boolean sandbox) {
    this.sandbox = sandbox;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (!sandbox) {
      request.abortWith(ErrorAnswer.flat(404, "There is no such path.").response());
    } else if (!isHere(request) || !isOwnPage(request)) {
      request.abortWith(
          ErrorAnswer.flat(403, "Only pages of this gateway, on this machine, may ask for this.")
              .response());
    }
  }

  private boolean isHere(ContainerRequestContext request) {
    return ClientAddress.of(JaxrsExchange.of(request)).isPresent()
        && OwnHosts.isLoopback(ClientAddress.readable(JaxrsExchange.of(request)));
  }

  private boolean isOwnPage(ContainerRequestContext request) {
    String origin = request.getHeaderString("Origin");
    String host = request.getHeaderString("Host");
    Optional<URI> page = Optional.ofNullable(origin).flatMap(SandboxGate::uri);
    return host != null
        && page.filter(one -> host.equals(one.getAuthority())).isPresent()
        && page.map(URI::getHost).filter(OwnHosts::isLoopback).isPresent();
  }

  private static Optional<URI> uri(String text) {
    try {
      return Optional.of(URI.create(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Puts {@link SandboxGate} before a method. */
  @NameBinding
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.TYPE, ElementType.METHOD})
  @interface SandboxOnly {}
}
