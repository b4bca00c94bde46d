package dev.octroi.api.http;

import dev.octroi.api.error.RequestId;
import dev.octroi.api.group.Addressed;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Headers that every answer of the gateway has: a request id (the caller's own, if it is a plain
 * word) under the two names that the vendors' SDKs read, no content sniffing, and the label of the
 * sandbox.
 */
public final class StandardHeaders implements ContainerResponseFilter {

  /** The same, as the SDK of the messages protocol reads it. */
  private static final String BARE_REQUEST_ID = "Request-Id";

  public static final String SANDBOX = "X-Sandbox";

  private static final Pattern HEAD = Pattern.compile("HEAD *, *|(, *)?HEAD$");

  private final boolean sandbox;
  private final Predicate<String> sold;

  /**
   * @param sold whether a GET of a canonical path is, so that there is no HEAD beside it
   */
  public StandardHeaders(boolean sandbox, Predicate<String> sold) {
    this.sandbox = sandbox;
    this.sold = sold;
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (Addressed.isOurs(request)) {
      put(JaxrsExchange.of(request), response.getHeaders()::putSingle);
      String allowed = response.getHeaderString(HttpHeaders.ALLOW);
      String path = request.getUriInfo().getPath(false);
      if (allowed != null && sold.test(path.startsWith("/") ? path : "/" + path)) {
        // JAX-RS names it beside each GET.
        response.getHeaders().putSingle(HttpHeaders.ALLOW, HEAD.matcher(allowed).replaceAll(""));
      }
    }
  }

  /** Tells the headers of the answer to a request. */
  public void put(Exchange request, BiConsumer<String, String> header) {
    String id = RequestId.of(request);
    header.accept(RequestId.HEADER, id);
    header.accept(BARE_REQUEST_ID, id);
    header.accept("X-Content-Type-Options", "nosniff");
    if (sandbox) {
      header.accept(SANDBOX, "octroi");
    }
  }
}
