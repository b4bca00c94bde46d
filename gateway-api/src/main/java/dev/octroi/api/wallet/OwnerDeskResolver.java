package dev.octroi.api.wallet;

import jakarta.ws.rs.ext.ContextResolver;
import org.jspecify.annotations.Nullable;

/** Hands the desk to the owners' resources, on every implementation and without injection. */
public final class OwnerDeskResolver implements ContextResolver<OwnerDesk> {

  private final OwnerDesk desk;

  public OwnerDeskResolver(OwnerDesk desk) {
    this.desk = desk;
  }

  @Override
  public @Nullable OwnerDesk getContext(Class<?> type) {
    return type == OwnerDesk.class ? desk : null;
  }
}
