package dev.octroi.reference;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.Gateway;
import dev.octroi.api.GatewayBuilder;
import dev.octroi.api.health.HealthCheck;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.db.SchemaWatch;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import javax.sql.DataSource;

/**
 * The gateway as a bean, which is all that a CDI host writes: it produces a {@link Gateway} from
 * the builder.
 */
@Dependent
class GatewayBeans {

  /**
   * Closed by {@link ReferenceGateway}, which takes it: a container ends its beans in no order, the
   * database perhaps first.
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
