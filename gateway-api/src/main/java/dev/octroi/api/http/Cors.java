package dev.octroi.api.http;

import dev.octroi.api.error.RequestId;
import dev.octroi.api.group.Addressed;
import dev.octroi.api.settings.GatewaySettings.CorsSettings;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lets web pages call the gateway and read its payment headers, on errors and challenges too. A
 * preflight is free and reaches no resource.
 */
@PreMatching
public final class Cors implements ContainerRequestFilter, ContainerResponseFilter {

  private static final String ORIGIN = "Origin";
  private static final String REQUESTED_METHOD = "Access-Control-Request-Method";
  private static final String ALLOWED_ORIGIN = "Access-Control-Allow-Origin";
  private static final String ANY = "*";

  private static final List<String> METHODS = List.of("GET", "POST", "OPTIONS");

  /** The last one is no header of requests, but the published x402 client sends it. */
  private static final String REQUEST_HEADERS =
      "PAYMENT-SIGNATURE, X-PAYMENT, SIGN-IN-WITH-X, Authorization, X-API-Key, Content-Type, Accept,"
          + " MCP-Protocol-Version, "
          + RequestId.HEADER
          + ", Access-Control-Expose-Headers";

  private static final String EXPOSED_HEADERS =
      "PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, X-PAYMENT-RECEIPT, X-Payment-Id,"
          + " X-Payment-State, X-Price-Amount, X-Price-Currency, X-Model, X-Adapted, Retry-After, X-Sandbox,"
          + " X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, "
          + RequestId.HEADER
          + ", Request-Id";

  private static final Pattern HEADER_NAMES = Pattern.compile("[A-Za-z0-9_, -]{1,500}");

  private final List<String> origins;
  private final Optional<PageRule> pages;
  private final long maxAgeSeconds;

  /**
   * Sets it up.
   *
   * @param pages which pages are served at all; empty: every one is
   */
  public Cors(CorsSettings settings, Optional<PageRule> pages) {
    this.origins = settings.origins();
    this.pages = pages.filter(rule -> !rule.isOpen());
    this.maxAgeSeconds = settings.maxAge().toSeconds();
  }

  /** Whether the gateway itself says which pages may read its answers. */
  public boolean isOn() {
    return !origins.isEmpty();
  }

  /**
   * What a preflight is told of a path with methods that its server knows, and with the headers
   * that are asked for: what clients send besides is theirs to say. Nothing if the request is none.
   */
  public Map<String, String> preflight(Exchange request, Collection<String> methods) {
    if (request.header(ORIGIN) == null || request.header(REQUESTED_METHOD) == null) {
      return Map.of();
    }
    String asked = request.header("Access-Control-Request-Headers");
    boolean plain = asked != null && HEADER_NAMES.matcher(asked).matches();
    return Map.of(
        "Access-Control-Allow-Methods",
        String.join(", ", methods),
        "Access-Control-Allow-Headers",
        plain ? REQUEST_HEADERS + ", " + asked : REQUEST_HEADERS,
        "Access-Control-Max-Age",
        Long.toString(maxAgeSeconds));
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (!Addressed.isOurs(request) || !request.getMethod().equals("OPTIONS")) {
      return;
    }
    Map<String, String> told = preflight(JaxrsExchange.of(request), METHODS);
    if (!told.isEmpty()) {
      Response.ResponseBuilder answer = Response.noContent();
      told.forEach(answer::header);
      request.abortWith(answer.build());
    }
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (Addressed.isOurs(request)) {
      put(JaxrsExchange.of(request), response.getHeaders()::add);
    }
  }

  /** Tells the headers of the answer to a request. */
  public void put(Exchange request, BiConsumer<String, String> header) {
    if (origins.isEmpty()) {
      return;
    }
    if (pages.isPresent() || !origins.contains(ANY)) {
      header.accept(HttpHeaders.VARY, ORIGIN);
    }
    String allowed = allowed(request.header(ORIGIN));
    if (allowed != null) {
      header.accept(ALLOWED_ORIGIN, allowed);
      header.accept("Access-Control-Expose-Headers", EXPOSED_HEADERS);
    }
  }

  private @Nullable String allowed(@Nullable String origin) {
    if (pages.isEmpty() && origins.contains(ANY)) {
      return ANY;
    }
    boolean named = origin != null && (origins.contains(ANY) || origins.contains(origin));
    return named && pages.map(rule -> rule.allows(origin)).orElse(true) ? origin : null;
  }
}
