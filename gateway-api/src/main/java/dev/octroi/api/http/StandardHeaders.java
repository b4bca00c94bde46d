package dev.octroi.api.http;

import dev.octroi.api.error.RequestId;
import dev.octroi.api.group.Addressed;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import java.util.function.BiConsumer;

/**
 * Headers that every answer of the gateway has: a request id (the caller's own, if it is a plain
 * word) under the two names that the vendors' SDKs read, no content sniffing, and the label of the
 * sandbox.
 */
public final class StandardHeaders implements ContainerResponseFilter {

  /** The same, as the SDK of the messages protocol reads it. */
  private static final String BARE_REQUEST_ID = "Request-Id";

  public static final String SANDBOX = "X-Sandbox";

  private final boolean sandbox;

  public StandardHeaders(boolean sandbox) {
    this.sandbox = sandbox;
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (Addressed.isOurs(request)) {
      put(JaxrsExchange.of(request), response.getHeaders()::putSingle);
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
