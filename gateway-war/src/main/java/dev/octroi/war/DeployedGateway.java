package dev.octroi.war;

import dev.octroi.api.Gateway;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Where the lifecycle leaves the gateway for the JAX-RS application: servers make both themselves
 * and differ in what they hand to the latter. The class is loaded once per deployment, so this is
 * the deployment's own.
 */
final class DeployedGateway {

  private static final AtomicReference<@Nullable Gateway> CURRENT = new AtomicReference<>();

  private DeployedGateway() {}

  static void set(@Nullable Gateway gateway) {
    CURRENT.set(gateway);
  }

  static Gateway get() {
    Gateway gateway = CURRENT.get();
    if (gateway == null) {
      throw new IllegalStateException("the gateway did not start; the log says why");
    }
    return gateway;
  }
}
