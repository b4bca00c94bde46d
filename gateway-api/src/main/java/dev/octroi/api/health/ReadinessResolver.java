package dev.octroi.api.health;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.ContextResolver;
import jakarta.ws.rs.ext.Providers;
import org.jspecify.annotations.Nullable;

/** Hands the readiness to its resource, on every implementation and without injection. */
public final class ReadinessResolver implements ContextResolver<Readiness> {

  private final Readiness readiness;

  public ReadinessResolver(Readiness readiness) {
    this.readiness = readiness;
  }

  static Readiness of(Providers providers) {
    ContextResolver<Readiness> resolver =
        providers.getContextResolver(Readiness.class, MediaType.WILDCARD_TYPE);
    Readiness readiness = resolver == null ? null : resolver.getContext(Readiness.class);
    if (readiness == null) {
      throw new IllegalStateException("register a GatewayFeature beside the gateway's resources");
    }
    return readiness;
  }

  @Override
  public @Nullable Readiness getContext(Class<?> type) {
    return type == Readiness.class ? readiness : null;
  }
}
