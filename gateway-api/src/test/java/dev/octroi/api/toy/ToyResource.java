package dev.octroi.api.toy;

import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.openapi.Described;
import dev.octroi.api.toy.ToyGroup.RepairTariff;
import dev.octroi.api.toy.ToyGroup.Toys;
import dev.octroi.payments.Paid;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import jakarta.validation.constraints.NotBlank;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.nio.charset.StandardCharsets;

/** What the toy group serves. */
@Path(ToyGroup.BASE)
public class ToyResource {

  private final Toys toys;

  public ToyResource(@Context Providers providers) {
    this.toys = Mounted.of(providers, Toys.class);
  }

  record Spin(@NotBlank String top) {}

  record Spun(String top, String vendor) {}

  @POST
  @Path("spin")
  @Consumes(MediaType.APPLICATION_JSON)
  @Sold(about = "Toys: spins a top.", body = Spin.class, example = "{\"top\":\"red\"}")
  @Paid("0.002")
  @Described(answer = Spun.class)
  public Response spin(byte[] body) {
    if (new String(body, StandardCharsets.UTF_8).contains("broken")) {
      throw new Failure(ErrorCode.INVALID_PARAMS, "That top is broken.");
    }
    return Response.ok(
            "{\"top\":\"red\",\"vendor\":\"" + toys.vendor().settings().name() + "\"}",
            MediaType.APPLICATION_JSON_TYPE)
        .build();
  }

  @POST
  @Path("repair")
  @Consumes(MediaType.APPLICATION_JSON)
  @Sold(about = "Toys: repairs a top.", body = Spin.class, example = "{\"top\":\"red\"}")
  @Paid(by = RepairTariff.class)
  public Response repair(byte[] body) {
    return Response.ok("{}", MediaType.APPLICATION_JSON_TYPE).build();
  }
}
