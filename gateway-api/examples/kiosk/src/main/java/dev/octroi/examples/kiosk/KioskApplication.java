package dev.octroi.examples.kiosk;

import dev.octroi.api.Gateway;
import dev.octroi.api.GatewayApplication;
import jakarta.ws.rs.ApplicationPath;
import java.util.Set;

/** The gateway as an application of its own, with one page of the kiosk's. */
@ApplicationPath("/")
public class KioskApplication extends GatewayApplication {

  public KioskApplication(Gateway gateway) {
    super(gateway);
  }

  @Override
  protected Set<Class<?>> furtherClasses() {
    return Set.of(OpeningHours.class);
  }
}
