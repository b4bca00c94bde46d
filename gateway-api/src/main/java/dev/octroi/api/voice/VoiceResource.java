package dev.octroi.api.voice;

import dev.octroi.api.asset.BaseAddress;
import dev.octroi.api.asset.Linking;
import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.openapi.Described;
import dev.octroi.api.price.ListPrices;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Providers;

/** The voice group. */
@Path(VoiceGroup.CALLS)
public class VoiceResource {

  private final VoiceComponents components;

  public VoiceResource(@Context Providers providers) {
    this(Mounted.of(providers, VoiceComponents.class));
  }

  VoiceResource(VoiceComponents components) {
    this.components = components;
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Linking
  @Sold(
      about = "Voice: has an agent call a number from a leased one.",
      body = CallBody.class,
      example =
          "{\"from\":\"+14155550100\",\"to\":\"+14155550101\",\"task\":\"Ask for the opening hours.\"}")
  @Paid(value = ListPrices.CALL, settle = Settle.BEFORE, redelivery = Redelivery.RESUMED)
  @Described(
      more = "Outbound and English only, from a number that is leased to the payer.",
      answerSchema = "CallStarted")
  public Response start(
      byte[] body,
      @Context SecurityContext security,
      @HeaderParam(BaseAddress.HEADER) String base) {
    return json(components.service().start(body, payment(security), base));
  }

  @POST
  @Path("transfer")
  @Sold(
      about = "Voice: hands a running call over to another number.",
      body = TransferBody.class,
      example = "{\"call_id\":\"…\",\"to\":\"+14155550101\"}")
  @Consumes(MediaType.APPLICATION_JSON)
  @Paid(value = ListPrices.CALL_TRANSFER, settle = Settle.BEFORE, redelivery = Redelivery.RESUMED)
  @Described(answerSchema = "CallChanged")
  public Response transfer(byte[] body, @Context SecurityContext security) {
    return json(components.service().transfer(body, payment(security)));
  }

  @POST
  @Path("end")
  @Sold(
      about = "Voice: ends a running call.",
      body = EndBody.class,
      example = "{\"call_id\":\"…\"}")
  @Consumes(MediaType.APPLICATION_JSON)
  @Paid(ListPrices.CALL_END)
  @Described(answerSchema = "CallChanged")
  public Response end(byte[] body, @Context SecurityContext security) {
    return json(components.service().end(body, payment(security)));
  }

  @GET
  @Path("{id}")
  @Sold(about = "Voice: the record of a call: its status, transcript and recording.")
  @Paid(by = CallReadTariff.class, redelivery = Redelivery.REREAD)
  @Described(answerSchema = "CallRecord")
  public Response read(@PathParam("id") String id, @Context SecurityContext security) {
    return json(components.service().read(id, Payment.of(security.getUserPrincipal())));
  }

  private static Payment payment(SecurityContext security) {
    return Payment.of(security.getUserPrincipal())
        .orElseThrow(() -> new IllegalStateException("a call of this group is always paid"));
  }

  private static Response json(byte[] body) {
    return Response.ok(body, MediaType.APPLICATION_JSON_TYPE).build();
  }
}
