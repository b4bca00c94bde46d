package dev.octroi.api.image;

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

/** Pictures that take longer than their call. */
@Path("/admin/v1/jobs")
@OperatorOnly
public class JobsResource {

  private final JobList jobs;

  public JobsResource(@Context Providers providers) {
    this(Mounted.of(providers, JobList.class));
  }

  JobsResource(JobList jobs) {
    this.jobs = jobs;
  }

  /** The latest ordered first. */
  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  public byte[] list(@Context UriInfo uri) {
    return HouseJson.of(
        new Query(uri)
            .latest(jobs::latest, row -> new Listing.Place(row.created(), row.id().toString())));
  }
}
