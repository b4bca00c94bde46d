package dev.octroi.reference;

import dev.octroi.api.settings.GatewaySettings;
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
}
