package dev.octroi.api.discovery;

import dev.octroi.api.house.Mounted;
import dev.octroi.api.house.Refused;
import dev.octroi.api.settings.DiscoverySettings;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.util.List;

/**
 * What the resources of discovery work with.
 *
 * @param tools whether everything can be called as a tool, too
 * @param sandbox whether the money is worthless
 */
public record DiscoveryServices(
    Storefront storefront, DiscoverySettings settings, boolean tools, boolean sandbox) {

  /** What serves it in any application; the rest belongs to one that is the gateway's alone. */
  public static final List<Class<?>> RESOURCES = List.of(DiscoveryResource.class);

  /** The services that are mounted in an application. */
  static DiscoveryServices of(Providers providers) {
    return Mounted.of(providers, DiscoveryServices.class);
  }

  /**
   * An answer that no cache keeps: its addresses may have the host that its caller named, and its
   * prices are those of the moment.
   */
  static Response uncached(byte[] document) {
    return Response.ok(document).header(HttpHeaders.CACHE_CONTROL, "no-store").build();
  }

  /** Throws 404 where discovery is switched off. */
  void requireOpen() {
    if (!settings.enabled()) {
      throw Refused.unknown("There is no such path.");
    }
  }
}
