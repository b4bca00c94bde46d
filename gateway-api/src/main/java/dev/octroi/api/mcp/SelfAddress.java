package dev.octroi.api.mcp;

import dev.octroi.api.http.ClientAddress;
import dev.octroi.api.http.InnerCalls;
import dev.octroi.api.mcp.SelfAddress.Inside;
import dev.octroi.api.mcp.ToolResource.Events;
import dev.octroi.payments.flow.PaymentFlow;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.MultivaluedMap;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.URI;
import java.util.Optional;

/**
 * Tells a resource where this gateway reaches itself, and who called. Never by the host that a
 * caller named: the address is the one that its connection arrived at. In headers, because nothing
 * else of a request reaches a method on every implementation; what a caller may have sent there is
 * overwritten.
 */
@Inside
public final class SelfAddress implements ContainerRequestFilter, ContainerResponseFilter {

  static final String HEADER = "X-Octroi-Self";

  private final Optional<URI> configured;

  /**
   * @param configured the address without the path of the application; empty to find it out
   */
  public SelfAddress(Optional<URI> configured) {
    this.configured = configured;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    MultivaluedMap<String, String> headers = request.getHeaders();
    headers.remove(HEADER);
    headers.remove(InnerCalls.CLIENT);
    String path = request.getUriInfo().getBaseUri().getRawPath();
    configured
        .map(URI::toString)
        .or(
            () ->
                ClientAddress.arrivedAt(JaxrsExchange.of(request))
                    .map(authority -> "http://" + authority))
        .ifPresent(address -> headers.putSingle(HEADER, joined(address, path)));
    ClientAddress.of(JaxrsExchange.of(request))
        .ifPresent(client -> headers.putSingle(InnerCalls.CLIENT, client));
  }

  /** A server that has to choose between slow readers knows how much memory this one takes. */
  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (response.getEntity() instanceof Events events) {
      events.telling(bytes -> JaxrsExchange.of(request).property(PaymentFlow.ANSWER_BYTES, bytes));
    }
  }

  private static String joined(String address, String path) {
    String whole = withoutSlash(address) + path;
    return withoutSlash(whole);
  }

  private static String withoutSlash(String text) {
    return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }

  /** States that a resource calls the gateway itself: it is told how by {@link SelfAddress}. */
  @Documented
  @NameBinding
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.TYPE, ElementType.METHOD})
  @interface Inside {}
}
