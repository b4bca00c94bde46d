package dev.octroi.api.discovery;

import dev.octroi.api.house.Mounted;
import dev.octroi.api.house.Refused;
import dev.octroi.api.settings.DiscoverySettings;
import jakarta.ws.rs.ext.Providers;
import java.util.List;

/**
 * What the resources of discovery work with.
 *
 * @param tools whether everything can be called as a tool, too
 * @param sandbox whether the money is worthless
 */
public record DiscoveryDesk(
    Storefront storefront, DiscoverySettings settings, boolean tools, boolean sandbox) {

  /** What serves it in any application; the rest belongs to one that is the gateway's alone. */
  public static final List<Class<?>> RESOURCES = List.of(DiscoveryResource.class);

  /** The desk of an application. */
  static DiscoveryDesk of(Providers providers) {
    return Mounted.of(providers, DiscoveryDesk.class);
  }

  /** Throws 404 where discovery is switched off. */
  void requireOpen() {
    if (!settings.enabled()) {
      throw Refused.unknown("There is no such path.");
    }
  }
}
