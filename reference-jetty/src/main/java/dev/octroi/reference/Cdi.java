package dev.octroi.reference;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.Gateway;
import dev.octroi.api.GatewayBuilder;
import dev.octroi.api.health.Readiness.HealthCheck;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.db.SchemaWatch;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.UUID;
import javax.sql.DataSource;
import org.jboss.weld.environment.se.ContainerLifecycleObserver;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;

/** Weld with just the beans of this deployment: nothing is scanned for, so that it boots fast. */
final class Cdi {

  /** Nothing is read from XML here, and the schemas to check it by take long to load. */
  private static final String NO_SCHEMAS = "org.jboss.weld.xml.disableValidating";

  private Cdi() {}

  /** Boots a container whose beans are {@link GatewayBeans} and what is given. */
  static WeldContainer boot(GatewaySettings settings, Database database) {
    System.setProperty(NO_SCHEMAS, "true");
    return new Weld("octroi-" + UUID.randomUUID())
        .disableDiscovery()
        .skipShutdownHook()
        .addBeanClass(GatewayBeans.class)
        .addContainerLifecycleObserver(
            ContainerLifecycleObserver.afterBeanDiscovery(
                event -> {
                  event
                      .addBean()
                      .types(GatewaySettings.class)
                      .scope(Singleton.class)
                      .createWith(context -> settings);
                  event
                      .addBean()
                      .types(DataSource.class)
                      .scope(Singleton.class)
                      .createWith(context -> database.source());
                }))
        .initialize();
  }

  /**
   * The gateway as a bean, which is all that a CDI host writes: it produces a {@link Gateway} from
   * the builder.
   */
  @Dependent
  static class GatewayBeans {

    /**
     * Closed by {@link ReferenceGateway}, which takes it: a container ends its beans in no order,
     * the database perhaps first.
     */
    @Produces
    @Singleton
    Gateway gateway(GatewaySettings settings, DataSource database) {
      GatewayBuilder gateway =
          Gateway.builder()
              .settings(settings)
              .database(database)
              .check(schema(new SchemaWatch(database)))
              .strict(true);
      if (database instanceof HikariDataSource pool) {
        gateway.figures(pool::setMetricRegistry);
      }
      return gateway.build();
    }

    private static HealthCheck schema(SchemaWatch schema) {
      return new HealthCheck(
          "migrations",
          "Start this version once with a database user that may change the schema.",
          schema::isApplied);
    }
  }
}
