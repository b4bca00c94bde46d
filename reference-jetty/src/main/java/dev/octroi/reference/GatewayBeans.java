package dev.octroi.reference;

import dev.octroi.api.Gateway;
import dev.octroi.api.settings.GatewaySettings;
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
   * Closed by whoever took it: a container ends its beans in no order, the database perhaps first.
   */
  @Produces
  @Singleton
  Gateway gateway(GatewaySettings settings, DataSource database) {
    return Gateway.builder().settings(settings).database(database).strict(true).build();
  }
}
