package dev.octroi.api.operator;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Refused;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.api.webhook.Delivery;
import dev.octroi.api.webhook.Webhooks.EndpointView;
import dev.octroi.payments.Free;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.util.List;
import java.util.UUID;

/** Webhooks: where events are sent to, and what came of it. */
@Path("/admin/v1/webhooks")
@OperatorOnly
@Produces(MediaType.APPLICATION_JSON)
public class WebhooksResource {

  private final OperatorServices services;

  public WebhooksResource(@Context Providers providers) {
    this(OperatorServices.of(providers));
  }

  WebhooksResource(OperatorServices services) {
    this.services = services;
  }

  record Endpoints(List<EndpointView> data) {}

  /** The endpoints of the settings, and how each does. */
  @GET
  @Free
  public byte[] endpoints() {
    return HouseJson.of(new Endpoints(services.webhooks().endpoints()));
  }

  /** Deliveries that fit what is given, the latest first. */
  @GET
  @Path("deliveries")
  @Free
  public byte[] deliveries(@Context UriInfo uri) {
    return HouseJson.of(services.webhooks().deliveries(new Query(uri)));
  }

  /** Sends a test, and answers what the endpoint said. */
  @POST
  @Path("{endpoint}/test")
  @Free
  public byte[] test(@PathParam("endpoint") String endpoint) {
    return HouseJson.of(
        services
            .webhooks()
            .test(endpoint)
            .orElseThrow(() -> Refused.unknown("There is no webhook of this name.")));
  }

  /** Has an event sent again, as if it never was. */
  @POST
  @Path("deliveries/{id}/resend")
  @Free
  public byte[] resend(@PathParam("id") String id) {
    UUID named = Query.pathId(id);
    if (!services.webhooks().has(found(named).endpoint())) {
      throw Refused.of(409, "The settings have no webhook of this name any more.");
    }
    return HouseJson.of(services.webhooks().again(named).orElseThrow(WebhooksResource::unknown));
  }

  /** One delivery, for those who change it. */
  byte[] show(String id) {
    return HouseJson.of(found(Query.pathId(id)));
  }

  private Delivery found(UUID id) {
    return services.webhooks().delivery(id).orElseThrow(WebhooksResource::unknown);
  }

  private static RuntimeException unknown() {
    return Refused.unknown("There is no delivery with this id.");
  }
}
