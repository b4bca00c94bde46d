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

/** Pictures that take longer than their call. */
@Path("/admin/v1/jobs")
@OperatorOnly
public class JobsResource {

  private final OperatorServices services;

  public JobsResource(@Context Providers providers) {
    this(OperatorServices.of(providers));
  }

  JobsResource(OperatorServices services) {
    this.services = services;
  }

  /** The latest ordered first. */
  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  public byte[] list(@Context UriInfo uri) {
    return HouseJson.of(
        new Query(uri)
            .latest(
                services.work().jobs()::latest,
                row -> new Listing.Place(row.created(), row.id().toString())));
  }
}
