package dev.octroi.api.discovery;

import jakarta.ws.rs.ext.ContextResolver;
import org.jspecify.annotations.Nullable;

/** Hands the desk to its resources, on every implementation and without injection. */
public final class DiscoveryDeskResolver implements ContextResolver<DiscoveryDesk> {

  private final DiscoveryDesk desk;

  public DiscoveryDeskResolver(DiscoveryDesk desk) {
    this.desk = desk;
  }

  @Override
  public @Nullable DiscoveryDesk getContext(Class<?> type) {
    return type == DiscoveryDesk.class ? desk : null;
  }
}
