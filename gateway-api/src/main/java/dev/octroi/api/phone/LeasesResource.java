package dev.octroi.api.phone;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Listing;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.house.Query;
import dev.octroi.api.operator.OperatorOnly;
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

  private final LeaseList leases;

  public LeasesResource(@Context Providers providers) {
    this(Mounted.of(providers, LeaseList.class));
  }

  LeasesResource(LeaseList leases) {
    this.leases = leases;
  }

  /** The latest bought first. */
  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  public byte[] list(@Context UriInfo uri) {
    return HouseJson.of(
        new Query(uri)
            .latest(leases::latest, row -> new Listing.Place(row.bought(), row.id().toString())));
  }
}
