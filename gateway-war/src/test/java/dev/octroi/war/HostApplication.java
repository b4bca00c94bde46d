package dev.octroi.war;

import dev.octroi.api.Gateway;
import dev.octroi.api.GatewayFeature;
import dev.octroi.api.health.HealthResource;
import dev.octroi.api.metrics.MetricsResource;
import dev.octroi.war.GatewayLifecycle.DeployedGateway;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** A host's own application with the gateway mounted in it, as a host writes it. */
public final class HostApplication extends Application {

  @Override
  public Set<Class<?>> getClasses() {
    return Gateway.resourcesAnd(
        Mounted.class, HostResource.class, HealthResource.class, MetricsResource.class);
  }

  /** Takes the gateway from where this host keeps it. */
  public static final class Mounted extends GatewayFeature {
    @Override
    protected Gateway gateway() {
      return DeployedGateway.get();
    }
  }
}
