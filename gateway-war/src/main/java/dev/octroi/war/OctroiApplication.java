package dev.octroi.war;

import dev.octroi.api.GatewayApplication;
import jakarta.ws.rs.ApplicationPath;
import java.util.Map;

/** The gateway at the web application's context path. Made by the server, once per deployment. */
@ApplicationPath("/")
public final class OctroiApplication extends GatewayApplication {

  public OctroiApplication() {
    super(DeployedGateway.get());
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
