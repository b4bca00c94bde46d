package dev.octroi.examples.kiosk;

import dev.octroi.payments.Free;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** When the kiosk is open. */
@Path("/hours")
public class OpeningHours {

  /** Says it. */
  @GET
  @Free
  @Produces(MediaType.TEXT_PLAIN)
  public String hours() {
    return "always\n";
  }
}
