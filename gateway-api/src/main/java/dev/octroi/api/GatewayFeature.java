package dev.octroi.api;

import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;

/**
 * Mounts a gateway in a host's own JAX-RS application, beside the host's resources.
 *
 * <pre>{@code
 * public class MyGateway extends GatewayFeature {
 *   protected Gateway gateway() { return …; }
 * }
 * public class MyApplication extends Application {
 *   public Set<Class<?>> getClasses() {
 *     return Gateway.resourcesAnd(MyGateway.class, MyResource.class);
 *   }
 * }
 * }</pre>
 *
 * <p>Registers providers only: resources that a feature registers are not found on every
 * implementation. The host that builds the gateway closes it.
 */
public abstract class GatewayFeature implements Feature {

  /** The gateway to mount; asked once. */
  protected abstract Gateway gateway();

  @Override
  public boolean configure(FeatureContext context) {
    new Mounting(gateway(), false).register(context);
    return true;
  }
}
