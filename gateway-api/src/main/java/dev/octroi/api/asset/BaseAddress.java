package dev.octroi.api.asset;

import dev.octroi.payments.flow.ResourceUrl;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;

/**
 * Tells a method the address below which the world reaches the application (decisions, absolute
 * addresses), without a slash at its end. In a header, because nothing else of a request reaches a
 * method on every implementation; what a caller may have sent there is overwritten.
 */
@Linking
public final class BaseAddress implements ContainerRequestFilter {

  /** For a parameter with {@code @HeaderParam}. */
  public static final String HEADER = "X-Octroi-Base-Address";

  private final ResourceUrl addresses;

  public BaseAddress(ResourceUrl addresses) {
    this.addresses = addresses;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    request.getHeaders().putSingle(HEADER, addresses.base(JaxrsExchange.of(request)));
  }
}
