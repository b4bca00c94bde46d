package dev.octroi.war;

import dev.octroi.payments.Free;
import dev.octroi.payments.Paid;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** What a host sells and gives away itself, beside the gateway. */
@Path("/shop")
public final class HostResource {

  @GET
  @Path("sold")
  @Paid("0.02")
  public String sold() {
    return "sold";
  }

  @GET
  @Path("given")
  @Free
  public String given() {
    return "given";
  }
}
