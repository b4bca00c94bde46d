package dev.octroi.api;

import jakarta.ws.rs.ext.ContextResolver;
import org.jspecify.annotations.Nullable;

/** Hands the gateway to its resources, on every implementation and without injection. */
final class GatewayResolver implements ContextResolver<Gateway> {

  private final Gateway gateway;

  GatewayResolver(Gateway gateway) {
    this.gateway = gateway;
  }

  @Override
  public @Nullable Gateway getContext(Class<?> type) {
    return type == Gateway.class ? gateway : null;
  }
}
