package dev.octroi.api.mcp;

import jakarta.ws.rs.ext.ContextResolver;
import org.jspecify.annotations.Nullable;

/** Hands the desk to its resource, on every implementation and without injection. */
public final class ToolDeskResolver implements ContextResolver<ToolDesk> {

  private final ToolDesk desk;

  public ToolDeskResolver(ToolDesk desk) {
    this.desk = desk;
  }

  @Override
  public @Nullable ToolDesk getContext(Class<?> type) {
    return type == ToolDesk.class ? desk : null;
  }
}
