package dev.octroi.war;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.Gateway;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.db.Migrations;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the gateway before the server makes the JAX-RS application, and closes all of it at
 * undeployment. A gateway that cannot start fails the deployment, and the log says what to set.
 */
@WebListener
public final class GatewayLifecycle implements ServletContextListener {

  private static final Logger LOG = LoggerFactory.getLogger(GatewayLifecycle.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  @Override
  public void contextInitialized(ServletContextEvent event) {
    try {
      GatewaySettings settings = ContextSettings.of(event.getServletContext());
      NeutralThreads.during(() -> start(settings));
    } catch (InvalidSettings e) {
      LOG.error("The gateway does not start: {}", e.getMessage());
      close();
      throw e;
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private void start(GatewaySettings settings) {
    parts.push(OwnDrivers::deregister);
    HikariDataSource database = Database.open(settings.database());
    parts.push(database);
    Migrations.apply(database);
    Gateway gateway = Gateway.builder().settings(settings).database(database).strict(true).build();
    parts.push(gateway);
    DeployedGateway.set(gateway);
    gateway.warmUp();
    if (gateway.isSandbox()) {
      LOG.warn("The gateway takes sandbox money, which is worthless: for trying things out only");
    }
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
