package dev.octroi.war;

import dev.octroi.war.GatewayLifecycle.DeployedGateway;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Map;
import java.util.Set;

/**
 * The gateway at the web application's context path. Made by the server, once per deployment; not
 * final, because a server may make a bean of it, with a proxy.
 */
@ApplicationPath("/")
public class OctroiApplication extends Application {

  private final Application deployed = DeployedGateway.application();

  @Override
  public Set<Class<?>> getClasses() {
    return deployed.getClasses();
  }

  /** The deprecated way is the only one that hands over an instance on every implementation. */
  @Override
  @SuppressWarnings("deprecation")
  public Set<Object> getSingletons() {
    return deployed.getSingletons();
  }

  /** Jersey's own words for what the gateway wants of it; other implementations ignore them. */
  @Override
  public Map<String, Object> getProperties() {
    return Map.of(
        "jersey.config.server.wadl.disableWadl",
        true,
        "jersey.config.contentLength.buffer",
        0,
        "jersey.config.server.response.setStatusOverSendError",
        true);
  }
}
