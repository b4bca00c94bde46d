package dev.octroi.examples.bookshop;

import dev.octroi.api.Gateway;
import dev.octroi.api.health.HealthResource;
import dev.octroi.api.metrics.MetricsResource;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** The bookshop's application: its own classes, and those of the gateway. */
@ApplicationPath("/")
public class BookshopApplication extends Application {

  @Override
  public Set<Class<?>> getClasses() {
    return Gateway.resourcesAnd(
        MountedGateway.class, Books.class, HealthResource.class, MetricsResource.class);
  }
}
