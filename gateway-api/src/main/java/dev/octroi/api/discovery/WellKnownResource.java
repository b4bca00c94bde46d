package dev.octroi.api.discovery;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.octroi.api.asset.BaseAddress;
import dev.octroi.api.asset.BaseAddress.Linking;
import dev.octroi.api.discovery.DiscoveryResource.DiscoveryServices;
import dev.octroi.api.house.HouseJson;
import dev.octroi.api.limit.CountedCalls.Counted;
import dev.octroi.payments.Free;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.util.List;

/**
 * Where indexes of services look first: the addresses that are sold, and where more is said of
 * them. For an application that lies at the root of its host.
 */
@Path("/.well-known/x402")
@Counted
public class WellKnownResource {

  private static final int VERSION = 1;

  private final DiscoveryServices services;

  public WellKnownResource(@Context Providers providers) {
    services = DiscoveryServices.of(providers);
  }

  record Known(
      int version,
      @JsonProperty("x402Version") int protocol,
      String name,
      boolean sandbox,
      List<String> resources,
      List<String> ownershipProofs,
      String instructions,
      String discovery) {}

  @GET
  @Linking
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  public Response known(@HeaderParam(BaseAddress.HEADER) String base) {
    services.requireOpen();
    return DiscoveryServices.uncached(
        HouseJson.of(
            new Known(
                VERSION,
                2,
                services.settings().serviceName(),
                services.sandbox(),
                services.storefront().listings().stream()
                    .map(listing -> listing.address(base))
                    .toList(),
                services.settings().ownershipProofs(),
                base + "/llms.txt",
                base + "/discovery/resources")));
  }
}
