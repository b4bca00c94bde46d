package dev.octroi.api.discovery;

import jakarta.ws.rs.ext.ContextResolver;
import org.jspecify.annotations.Nullable;

/**
 * Hands {@link DiscoveryServices} to the resources, on every implementation and without injection.
 */
public final class DiscoveryServicesResolver implements ContextResolver<DiscoveryServices> {

  private final DiscoveryServices services;

  public DiscoveryServicesResolver(DiscoveryServices services) {
    this.services = services;
  }

  @Override
  public @Nullable DiscoveryServices getContext(Class<?> type) {
    return type == DiscoveryServices.class ? services : null;
  }
}
