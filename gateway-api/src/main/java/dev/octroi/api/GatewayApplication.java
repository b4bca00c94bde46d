package dev.octroi.api;

import dev.octroi.api.discovery.ModelTextResource;
import dev.octroi.api.discovery.WellKnownResource;
import dev.octroi.api.docs.DocsResource.DocsServices;
import dev.octroi.api.docs.HomeResource;
import dev.octroi.api.group.Group;
import dev.octroi.api.health.HealthResource;
import dev.octroi.api.metrics.MetricsResource;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * An application that is nothing but the gateway: extend it, with {@code @ApplicationPath} where
 * the container looks for that. The host that builds the gateway closes it.
 */
public class GatewayApplication extends Application {

  private static final List<Class<?>> ALONE =
      Stream.concat(
              Stream.of(
                  HomeResource.class,
                  WellKnownResource.class,
                  ModelTextResource.class,
                  HealthResource.class,
                  MetricsResource.class),
              DocsServices.RESOURCES.stream())
          .toList();

  private final Gateway gateway;

  public GatewayApplication(Gateway gateway) {
    this.gateway = gateway;
  }

  @Override
  public Set<Class<?>> getClasses() {
    Set<Class<?>> classes = resources(gateway.groups().groups().all());
    classes.addAll(furtherClasses());
    return classes;
  }

  /** Every resource class of a gateway with these groups that has the application for itself. */
  static Set<Class<?>> resources(List<Group> groups) {
    Set<Class<?>> classes = Gateway.resources(groups);
    classes.addAll(ALONE);
    return classes;
  }

  /** Further resources and providers of the same application; none by default. */
  protected Set<Class<?>> furtherClasses() {
    return Set.of();
  }

  /** The deprecated way is the only one that hands over an instance on every implementation. */
  @Override
  @SuppressWarnings("deprecation")
  public Set<Object> getSingletons() {
    return Set.of(new Alone(gateway));
  }

  private record Alone(Gateway gateway) implements Feature {

    @Override
    public boolean configure(FeatureContext context) {
      new Mounting(gateway, true).register(context);
      return true;
    }
  }
}
