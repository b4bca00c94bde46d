package dev.octroi.api.house;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.ContextResolver;
import jakarta.ws.rs.ext.Providers;

/**
 * Finds what a resource works with: the one thing of its kind that a gateway's feature hands out.
 */
public final class Mounted {

  private Mounted() {}

  /**
   * The thing of an application.
   *
   * @throws IllegalStateException if no gateway is mounted there
   */
  public static <T> T of(Providers providers, Class<T> kind) {
    // Any media type must be said: only Jersey takes null for it.
    ContextResolver<T> resolver = providers.getContextResolver(kind, MediaType.WILDCARD_TYPE);
    T found = resolver == null ? null : resolver.getContext(kind);
    if (found == null) {
      throw new IllegalStateException("register a GatewayFeature beside the gateway's resources");
    }
    return found;
  }
}
