package dev.octroi.api.discovery;

import dev.octroi.api.asset.BaseAddress;
import dev.octroi.api.asset.BaseAddress.Linking;
import dev.octroi.api.discovery.DiscoveryResource.DiscoveryServices;
import dev.octroi.api.limit.CountedCalls.Counted;
import dev.octroi.payments.Free;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.nio.charset.StandardCharsets;

/** What language models read of a site: what is sold, at which prices, and how it is paid. */
@Path("/llms.txt")
@Counted
public class ModelTextResource {

  private final DiscoveryServices services;

  public ModelTextResource(@Context Providers providers) {
    services = DiscoveryServices.of(providers);
  }

  @GET
  @Linking
  @Free
  @Produces("text/plain;charset=utf-8")
  public Response text(@HeaderParam(BaseAddress.HEADER) String base) {
    services.requireOpen();
    return DiscoveryServices.uncached(
        ModelText.of(services, base).getBytes(StandardCharsets.UTF_8));
  }
}
