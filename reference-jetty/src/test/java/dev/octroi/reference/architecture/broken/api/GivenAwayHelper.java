package dev.octroi.reference.architecture.broken.api;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.UriInfo;

/** A resource that is free by omission, has a field injected and cannot be made by every server. */
@Path("/given-away")
public final class GivenAwayHelper {

  @Context private UriInfo uri;

  public GivenAwayHelper() {}

  @GET
  public String read() {
    return uri.getPath();
  }
}
