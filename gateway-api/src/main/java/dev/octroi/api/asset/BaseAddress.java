package dev.octroi.api.asset;

import dev.octroi.api.asset.BaseAddress.Linking;
import dev.octroi.payments.flow.ResourceUrl;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

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

  /**
   * States that a resource's answers have absolute addresses: it is told by {@link BaseAddress}.
   */
  @Documented
  @NameBinding
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.TYPE, ElementType.METHOD})
  public @interface Linking {}
}
