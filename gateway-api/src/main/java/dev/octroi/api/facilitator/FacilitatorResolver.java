package dev.octroi.api.facilitator;

import jakarta.ws.rs.ext.ContextResolver;
import org.jspecify.annotations.Nullable;

/** Hands the facilitator to its resource, on every implementation and without injection. */
public final class FacilitatorResolver implements ContextResolver<ServedFacilitator> {

  private final ServedFacilitator facilitator;

  public FacilitatorResolver(ServedFacilitator facilitator) {
    this.facilitator = facilitator;
  }

  @Override
  public @Nullable ServedFacilitator getContext(Class<?> type) {
    return type == ServedFacilitator.class ? facilitator : null;
  }
}
