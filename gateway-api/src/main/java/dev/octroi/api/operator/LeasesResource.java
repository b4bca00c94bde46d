package dev.octroi.api.operator;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Listing;
import dev.octroi.api.house.Query;
import dev.octroi.payments.Free;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;

/** Phone numbers that are or were leased. */
@Path("/admin/v1/leases")
@OperatorOnly
public class LeasesResource {

  private final OperatorServices services;

  public LeasesResource(@Context Providers providers) {
    this(OperatorServices.of(providers));
  }

  LeasesResource(OperatorServices services) {
    this.services = services;
  }

  /** The latest bought first. */
  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  public byte[] list(@Context UriInfo uri) {
    return HouseJson.of(
        new Query(uri)
            .latest(
                services.work().leases()::latest,
                row -> new Listing.Place(row.bought(), row.id().toString())));
  }
}
