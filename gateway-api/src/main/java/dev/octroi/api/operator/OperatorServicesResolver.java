package dev.octroi.api.operator;

import jakarta.ws.rs.ext.ContextResolver;
import org.jspecify.annotations.Nullable;

/**
 * Hands {@link OperatorServices} to the operator's resources, on every implementation and without
 * injection.
 */
public final class OperatorServicesResolver implements ContextResolver<OperatorServices> {

  private final OperatorServices services;

  public OperatorServicesResolver(OperatorServices services) {
    this.services = services;
  }

  @Override
  public @Nullable OperatorServices getContext(Class<?> type) {
    return type == OperatorServices.class ? services : null;
  }
}
