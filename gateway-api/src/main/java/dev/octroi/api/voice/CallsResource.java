package dev.octroi.api.voice;

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

/** Calls that were placed, without what was said on them. */
@Path("/admin/v1/calls")
@OperatorOnly
public class CallsResource {

  private final CallList calls;

  public CallsResource(@Context Providers providers) {
    this(Mounted.of(providers, CallList.class));
  }

  CallsResource(CallList calls) {
    this.calls = calls;
  }

  /** The latest placed first. */
  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  public byte[] list(@Context UriInfo uri) {
    return HouseJson.of(
        new Query(uri).latest(calls::latest, row -> new Listing.Place(row.placed(), row.id())));
  }
}
