package dev.octroi.api.phone;

import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.openapi.Described;
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
@Path(PhoneGroup.BASE)
@Consumes(MediaType.APPLICATION_JSON)
public class PhoneResource {

  private final PhoneService service;

  public PhoneResource(@Context Providers providers) {
    this.service = PhoneService.of(providers);
  }

  @POST
  @Path("numbers/buy")
  @Sold(
      about = "Phone: leases a phone number for 30 days.",
      body = BuyBody.class,
      example = "{\"country\":\"US\"}")
  @Paid(value = ListPrices.NUMBER_BUY, settle = Settle.BEFORE, redelivery = Redelivery.RESUMED)
  @Described(answerSchema = "Lease")
  public Response buy(byte[] body, @Context SecurityContext security) {
    return service.buy(body, payment(security));
  }

  /** The body says nothing, and is not looked at. */
  @POST
  @Path("numbers/list")
  @Sold(about = "Phone: the numbers that the payer leases.")
  @Paid(ListPrices.NUMBER_LIST)
  @Described(answerSchema = "NumberList")
  public Response list(@Context SecurityContext security) {
    return service.list(payment(security));
  }

  @POST
  @Path("numbers/release")
  @Sold(
      about = "Phone: gives a leased number back.",
      body = NumberBody.class,
      example = "{\"phoneNumber\":\"+14155550100\"}")
  @Paid(value = ListPrices.NUMBER_RELEASE, settle = Settle.BEFORE, redelivery = Redelivery.RESUMED)
  @Described(answerSchema = "NumberReleased")
  public Response release(byte[] body, @Context SecurityContext security) {
    return service.release(body, payment(security));
  }

  @POST
  @Path("numbers/renew")
  @Sold(
      about = "Phone: leases a number for 30 days more.",
      body = NumberBody.class,
      example = "{\"phoneNumber\":\"+14155550100\"}")
  @Paid(value = ListPrices.NUMBER_RENEW, settle = Settle.BEFORE, redelivery = Redelivery.RESUMED)
  @Described(answerSchema = "Lease")
  public Response renew(byte[] body, @Context SecurityContext security) {
    return service.renew(body, payment(security));
  }

  @POST
  @Path("lookup")
  @Sold(
      about = "Phone: who carries a number.",
      body = NumberBody.class,
      example = "{\"phoneNumber\":\"+14155550100\"}")
  @Paid(ListPrices.PHONE_LOOKUP)
  @Described(answerSchema = "CarrierLookup")
  public Response lookUp(byte[] body, @Context SecurityContext security) {
    return service.lookUp(body, payment(security), Lookups::carrier);
  }

  @POST
  @Path("lookup/fraud")
  @Sold(
      about = "Phone: what speaks for and against trusting a number.",
      body = NumberBody.class,
      example = "{\"phoneNumber\":\"+14155550100\"}")
  @Paid(ListPrices.PHONE_FRAUD)
  @Described(answerSchema = "FraudLookup")
  public Response fraud(byte[] body, @Context SecurityContext security) {
    return service.lookUp(body, payment(security), Lookups::fraud);
  }

  @POST
  @Path("sms/send")
  @Sold(
      about = "Phone: sends a text message from a leased number.",
      body = TextBody.class,
      example = "{\"from\":\"+14155550100\",\"to\":\"+14155550101\",\"body\":\"Hello\"}")
  @Paid(value = ListPrices.TEXT, settle = Settle.BEFORE, redelivery = Redelivery.RESUMED)
  @Described(
      more = "503 `sms_unavailable` and free unless it is switched on.",
      answerSchema = "TextSent")
  public Response send(byte[] body, @Context SecurityContext security) {
    return service.send(body, payment(security));
  }

  private static Payment payment(SecurityContext security) {
    return Payment.of(security.getUserPrincipal())
        .orElseThrow(() -> new IllegalStateException("a paid method runs without a payment"));
  }
}
