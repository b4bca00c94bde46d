package dev.octroi.api.wallet;

import jakarta.ws.rs.ext.ContextResolver;
import org.jspecify.annotations.Nullable;

/**
 * Hands {@link OwnerServices} to the owners' resources, on every implementation and without
 * injection.
 */
public final class OwnerServicesResolver implements ContextResolver<OwnerServices> {

  private final OwnerServices services;

  public OwnerServicesResolver(OwnerServices services) {
    this.services = services;
  }

  @Override
  public @Nullable OwnerServices getContext(Class<?> type) {
    return type == OwnerServices.class ? services : null;
  }
}
