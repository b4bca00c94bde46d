package dev.octroi.examples.quarkus;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

/** A resource that knows nothing of its price. */
@Path("/tides/{port}")
public class Tides {

  @GET
  public String tides(@PathParam("port") String port) {
    return port + ": high at 04:12 and 16:38\n";
  }
}
