package dev.octroi.api.health;

import dev.octroi.api.house.Mounted;
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
    return Mounted.of(providers, Readiness.class);
  }

  @Override
  public @Nullable Readiness getContext(Class<?> type) {
    return type == Readiness.class ? readiness : null;
  }
}
