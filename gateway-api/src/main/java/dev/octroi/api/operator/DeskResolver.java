package dev.octroi.api.operator;

import jakarta.ws.rs.ext.ContextResolver;
import org.jspecify.annotations.Nullable;

/** Hands the desk to the operator's resources, on every implementation and without injection. */
public final class DeskResolver implements ContextResolver<OperatorDesk> {

  private final OperatorDesk desk;

  public DeskResolver(OperatorDesk desk) {
    this.desk = desk;
  }

  @Override
  public @Nullable OperatorDesk getContext(Class<?> type) {
    return type == OperatorDesk.class ? desk : null;
  }
}
