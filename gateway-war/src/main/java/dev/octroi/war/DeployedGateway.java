package dev.octroi.war;

import dev.octroi.api.Gateway;
import dev.octroi.api.GatewayApplication;
import dev.octroi.api.UnsetApplication;
import dev.octroi.api.settings.InvalidSettings;
import jakarta.ws.rs.core.Application;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Where the lifecycle leaves the gateway for the JAX-RS application: servers make both themselves
 * and differ in what they hand to the latter. The class is loaded once per deployment, so this is
 * the deployment's own.
 */
final class DeployedGateway {

  private static final AtomicReference<@Nullable Gateway> CURRENT = new AtomicReference<>();
  private static final AtomicReference<@Nullable InvalidSettings> UNSET = new AtomicReference<>();

  private DeployedGateway() {}

  static void set(@Nullable Gateway gateway) {
    CURRENT.set(gateway);
    UNSET.set(null);
  }

  /** There is none, and this is why. */
  static void unset(InvalidSettings why) {
    UNSET.set(why);
  }

  static Gateway get() {
    Gateway gateway = CURRENT.get();
    if (gateway == null) {
      throw new IllegalStateException("the gateway did not start; the log says why");
    }
    return gateway;
  }

  /** The gateway's application, or the one that says what to set. */
  static Application application() {
    InvalidSettings why = UNSET.get();
    return why == null ? new GatewayApplication(get()) : new UnsetApplication(why);
  }
}
