package dev.octroi.reference;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.Gateway;
import dev.octroi.api.settings.DatabaseSettings;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.db.Migrations;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/**
 * The gateway as beans, which is all that a CDI host writes: it produces a {@link Gateway} from the
 * builder.
 */
@Dependent
class GatewayBeans {

  @Produces
  @Singleton
  HikariDataSource database(GatewaySettings settings) {
    DatabaseSettings database = settings.database();
    HikariConfig pool = new HikariConfig();
    pool.setPoolName("octroi");
    pool.setJdbcUrl(database.url());
    pool.setUsername(database.user());
    pool.setPassword(database.password().value());
    pool.setMaximumPoolSize(database.poolSize());
    pool.setMinimumIdle(1);
    pool.setConnectionTimeout(database.connectionTimeout().toMillis());
    HikariDataSource source = new HikariDataSource(pool);
    Migrations.apply(source);
    return source;
  }

  void close(@Disposes HikariDataSource database) {
    database.close();
  }

  /**
   * Closed by whoever took it: a container ends its beans in no order, the database perhaps first.
   */
  @Produces
  @Singleton
  Gateway gateway(GatewaySettings settings, HikariDataSource database) {
    return Gateway.builder().settings(settings).database(database).strict(true).build();
  }
}
