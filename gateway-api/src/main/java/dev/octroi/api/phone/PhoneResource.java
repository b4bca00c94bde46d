package dev.octroi.api.phone;

import dev.octroi.api.price.ListPrices;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import dev.octroi.services.phone.Lookups;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Providers;

/** The phone group: POST only (specification, phone). */
@Path("/v1/marketplace/phone")
@Consumes(MediaType.APPLICATION_JSON)
@IfSold
public class PhoneResource {

  private final PhoneDesk desk;

  public PhoneResource(@Context Providers providers) {
    this.desk = PhoneDesk.of(providers);
  }

  @POST
  @Path("numbers/buy")
  @Paid(value = ListPrices.NUMBER_BUY, settle = Settle.BEFORE, redelivery = Redelivery.RESUMED)
  public Response buy(byte[] body, @Context SecurityContext security) {
    return desk.buy(body, payment(security));
  }

  /** The body says nothing, and is not looked at. */
  @POST
  @Path("numbers/list")
  @Paid(ListPrices.NUMBER_LIST)
  public Response list(@Context SecurityContext security) {
    return desk.list(payment(security));
  }

  @POST
  @Path("numbers/release")
  @Paid(value = ListPrices.NUMBER_RELEASE, settle = Settle.BEFORE, redelivery = Redelivery.RESUMED)
  public Response release(byte[] body, @Context SecurityContext security) {
    return desk.release(body, payment(security));
  }

  @POST
  @Path("numbers/renew")
  @Paid(value = ListPrices.NUMBER_RENEW, settle = Settle.BEFORE, redelivery = Redelivery.RESUMED)
  public Response renew(byte[] body, @Context SecurityContext security) {
    return desk.renew(body, payment(security));
  }

  @POST
  @Path("lookup")
  @Paid(ListPrices.PHONE_LOOKUP)
  public Response lookUp(byte[] body, @Context SecurityContext security) {
    return desk.lookUp(body, payment(security), Lookups::carrier);
  }

  @POST
  @Path("lookup/fraud")
  @Paid(ListPrices.PHONE_FRAUD)
  public Response fraud(byte[] body, @Context SecurityContext security) {
    return desk.lookUp(body, payment(security), Lookups::fraud);
  }

  @POST
  @Path("sms/send")
  @Paid(value = ListPrices.TEXT, settle = Settle.BEFORE, redelivery = Redelivery.RESUMED)
  public Response send(byte[] body, @Context SecurityContext security) {
    return desk.send(body, payment(security));
  }

  private static Payment payment(SecurityContext security) {
    return Payment.of(security)
        .orElseThrow(() -> new IllegalStateException("a paid method runs without a payment"));
  }
}
