package dev.octroi.war;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.Gateway;
import dev.octroi.api.GatewayBuilder;
import dev.octroi.api.health.HealthCheck;
import dev.octroi.api.settings.DatabaseSettings;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.db.Migrations;
import dev.octroi.db.SchemaWatch;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the gateway before the server makes the JAX-RS application, and closes all of it at
 * undeployment. One that is not configured says in the log and at its home what to set; one that
 * cannot start for another reason fails the deployment.
 */
@WebListener
public final class GatewayLifecycle implements ServletContextListener {

  private static final Logger LOG = LoggerFactory.getLogger(GatewayLifecycle.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  @Override
  public void contextInitialized(ServletContextEvent event) {
    // First, so that it is done last.
    parts.push(LastTypes::forget);
    try {
      GatewaySettings settings =
          NeutralThreads.of(() -> ContextSettings.of(event.getServletContext()));
      GatewayBuilder gateway =
          NeutralThreads.of(() -> Gateway.builder().settings(settings).strict(true).checked());
      // Only the application's own thread can ask the server's directory.
      ContainerThreads.find().ifPresent(gateway::threads);
      Optional<DataSource> container = settings.database().jndiName().map(ContainerDatabase::named);
      NeutralThreads.during(
          () -> start(gateway, container.orElseGet(() -> pool(settings.database()))));
    } catch (InvalidSettings e) {
      LOG.error("The gateway does not start: {}", e.getMessage());
      close();
      DeployedGateway.unset(e);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private void start(GatewayBuilder builder, DataSource database) {
    Migrations.apply(database);
    builder.database(database).check(schema(new SchemaWatch(database)));
    if (database instanceof HikariDataSource pool) {
      builder.figures(pool::setMetricRegistry);
    }
    Gateway gateway = builder.build();
    parts.push(gateway);
    DeployedGateway.set(gateway);
    gateway.warmUp();
    if (gateway.isSandbox()) {
      LOG.warn("The gateway takes sandbox money, which is worthless: for trying things out only");
    }
  }

  private DataSource pool(DatabaseSettings settings) {
    parts.push(OwnDrivers::deregister);
    HikariDataSource pool = Database.open(settings);
    parts.push(pool);
    return pool;
  }

  private static HealthCheck schema(SchemaWatch schema) {
    return new HealthCheck(
        "migrations",
        "Deploy this version once with a database user that may change the schema.",
        schema::isApplied);
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    close();
  }

  private void close() {
    DeployedGateway.set(null);
    NeutralThreads.during(this::closeParts);
  }

  /** In the reverse order of their start; one that fails does not keep the others open. */
  private void closeParts() {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        LOG.error("A part of the gateway did not close well", e);
      }
    }
  }
}
