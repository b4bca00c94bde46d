package dev.octroi.api.operator;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.http.ClientAddress;
import dev.octroi.api.limit.AddressRate;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.api.operator.Operators.Operator;
import dev.octroi.api.operator.Operators.Role;
import dev.octroi.api.path.PathAliases;
import dev.octroi.api.settings.Secret;
import dev.octroi.payments.Sha256;
import dev.octroi.payments.jaxrs.CallerSecurity;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.Principal;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets only the operator pass, and notes what he changes: from which address, and what, never a
 * secret.
 *
 * <p>Without a token in the settings there is nothing behind it: 404. A wrong one is 401, and after
 * ten wrong ones in a minute from one address 429. The right one is served at once whatever others
 * tried: they may come through the same proxy, and of 24 characters at the least no rate of guesses
 * finds one. Other operators have tokens and roles of their own; what a role does not permit is
 * 403.
 */
@OperatorOnly
public final class OperatorGate implements ContainerRequestFilter, ContainerResponseFilter {

  private static final Logger LOG = LoggerFactory.getLogger("dev.octroi.operator");

  private static final String BEARER = "Bearer ";
  private static final int FAILURES_PER_MINUTE = 10;

  private static final String ADMITTED = "dev.octroi.api.operator";

  static final String BASE = "admin/v1/";

  private final Optional<byte[]> token;
  private final OperatorServices services;
  private final AddressRate failures;

  /**
   * Sets it up.
   *
   * @param token of the operator who may do everything
   */
  public OperatorGate(Secret token, OperatorServices services) {
    this.token = Optional.of(token.value()).filter(text -> !text.isEmpty()).map(OperatorGate::hash);
    this.services = services;
    this.failures = new AddressRate(FAILURES_PER_MINUTE, services.clock());
  }

  @Override
  public void filter(ContainerRequestContext request) {
    refusal(request).ifPresent(request::abortWith);
  }

  private Optional<Response> refusal(ContainerRequestContext request) {
    if (token.isEmpty()) {
      return Optional.of(ErrorAnswer.flat(404, "There is no such path.").response());
    }
    Optional<String> given = bearer(request.getHeaderString(HttpHeaders.AUTHORIZATION));
    if (given.filter(this::isRight).isPresent()) {
      admit(request, new Admitted(Operators.ADMIN, Optional.empty()));
      return Optional.empty();
    }
    Optional<Operator> operator = given.flatMap(services.operators()::of);
    if (operator.isPresent()) {
      if (!permits(operator.get().role(), request)) {
        return Optional.of(
            ErrorAnswer.flat(
                    403, "The role '" + operator.get().role().word() + "' does not permit this.")
                .response());
      }
      admit(request, new Admitted(operator.get().name(), Optional.of(operator.get().role())));
      return Optional.empty();
    }
    Optional<Duration> wait =
        failures.count(ClientAddress.of(JaxrsExchange.of(request)).orElse(""));
    if (wait.isPresent()) {
      // Not in the log any more, or a stranger who guesses would fill it.
      return Optional.of(
          ErrorAnswer.flat(429, "Too many failed attempts from this address.")
              .retryAfter(wait.get())
              .response());
    }
    LOG.warn(
        "An operator's token was refused, from {}",
        ClientAddress.readable(JaxrsExchange.of(request)));
    return Optional.of(ErrorAnswer.flat(401, "The operator's token is required.").response());
  }

  /**
   * An operator as the gate found it: a token that is revoked while its request is served changes
   * nothing of who asked.
   *
   * @param role empty for the operator with the token of the settings
   */
  record Admitted(String name, Optional<Role> role) implements Principal {

    @Override
    public String getName() {
      return name;
    }
  }

  private static void admit(ContainerRequestContext request, Admitted operator) {
    request.setProperty(ADMITTED, operator);
    request.setSecurityContext(
        new CallerSecurity(operator, "operator", request.getSecurityContext()));
  }

  /** Who asks; empty before the gate has let the request pass. */
  static Optional<Admitted> operator(ContainerRequestContext request) {
    return Optional.ofNullable((Admitted) request.getProperty(ADMITTED));
  }

  /** The operator whose request the gate has let pass. */
  static Admitted operator(SecurityContext security) {
    return (Admitted) security.getUserPrincipal();
  }

  /** In constant time, whatever the length: hashes are compared. */
  private boolean isRight(String given) {
    return MessageDigest.isEqual(hash(given), token.orElseThrow());
  }

  private static Optional<String> bearer(@Nullable String authorization) {
    return Optional.ofNullable(authorization)
        .filter(text -> text.startsWith(BEARER))
        .map(text -> text.substring(BEARER.length()).strip());
  }

  private static boolean permits(Role role, ContainerRequestContext request) {
    return reads(request) || role.permits(below(request).split("/", 2)[0]);
  }

  /** Whether a request may change something. */
  static boolean changes(ContainerRequestContext request) {
    return !reads(request) && !below(request).endsWith("/preview");
  }

  private static boolean reads(ContainerRequestContext request) {
    return switch (request.getMethod()) {
      case HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS -> true;
      default -> false;
    };
  }

  /**
   * The path below the interface as it was matched: raw, without its matrix parameters, which may
   * hold escaped slashes. Some implementations give paths with a slash before them. The whole path
   * where it is another.
   */
  static String below(ContainerRequestContext request) {
    String path = PathAliases.withoutParameters(request.getUriInfo().getPath(false));
    String plain = path.startsWith("/") ? path.substring(1) : path;
    return plain.startsWith(BASE) ? plain.substring(BASE.length()) : "/" + plain;
  }

  /** Every change is noted, whatever came of it. */
  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    Optional<Admitted> operator = operator(request);
    if (changes(request) && operator.isPresent()) {
      LOG.info(
          "{} {} by the operator {} from {}: {}",
          request.getMethod(),
          request.getUriInfo().getPath(),
          operator.get().name(),
          ClientAddress.readable(JaxrsExchange.of(request)),
          response.getStatus());
    }
  }

  private static byte[] hash(String text) {
    return Sha256.of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Puts {@link OperatorGate} before a resource. */
  @NameBinding
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.TYPE, ElementType.METHOD})
  public @interface OperatorOnly {}
}
