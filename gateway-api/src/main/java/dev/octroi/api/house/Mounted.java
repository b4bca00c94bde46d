package dev.octroi.api.house;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.ContextResolver;
import jakarta.ws.rs.ext.Providers;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Hands the gateway's resources what they work with, each thing by its class, on every
 * implementation of JAX-RS and without injection. Immutable, thread-safe.
 */
public final class Mounted implements ContextResolver<Mounted> {

  private final Map<Class<?>, Object> services = new HashMap<>();

  /**
   * @param services one of a class
   * @throws IllegalStateException if there are two of a class
   */
  public Mounted(Collection<?> services) {
    for (Object service : services) {
      if (this.services.putIfAbsent(service.getClass(), service) != null) {
        throw new IllegalStateException("there are two of " + service.getClass());
      }
    }
  }

  @Override
  public Mounted getContext(Class<?> type) {
    return this;
  }

  /**
   * The thing of an application.
   *
   * @throws IllegalStateException if no gateway that has it is mounted there
   */
  public static <T> T of(Providers providers, Class<T> kind) {
    // Any media type must be said: only Jersey takes null for it.
    ContextResolver<Mounted> resolver =
        providers.getContextResolver(Mounted.class, MediaType.WILDCARD_TYPE);
    Mounted mounted = resolver == null ? null : resolver.getContext(Mounted.class);
    T found = mounted == null ? null : kind.cast(mounted.services.get(kind));
    if (found == null) {
      throw new IllegalStateException("register a GatewayFeature beside the gateway's resources");
    }
    return found;
  }
}
