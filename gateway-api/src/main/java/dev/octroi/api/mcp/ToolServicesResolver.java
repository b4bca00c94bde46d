package dev.octroi.api.mcp;

import jakarta.ws.rs.ext.ContextResolver;
import org.jspecify.annotations.Nullable;

/** Hands {@link ToolServices} to the resource, on every implementation and without injection. */
public final class ToolServicesResolver implements ContextResolver<ToolServices> {

  private final ToolServices services;

  public ToolServicesResolver(ToolServices services) {
    this.services = services;
  }

  @Override
  public @Nullable ToolServices getContext(Class<?> type) {
    return type == ToolServices.class ? services : null;
  }
}
