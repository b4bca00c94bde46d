package dev.octroi.api.operator;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.api.settings.SettingsInForce;
import dev.octroi.payments.Free;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Providers;

/** The settings in force, with secrets masked. */
@Path("/admin/v1/settings")
@OperatorOnly
public class SettingsResource {

  private final OperatorServices services;

  public SettingsResource(@Context Providers providers) {
    services = OperatorServices.of(providers);
  }

  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  public byte[] settings() {
    return HouseJson.of(SettingsInForce.of(services.settings()));
  }
}
