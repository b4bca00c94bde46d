package dev.octroi.api.phone;

import dev.octroi.api.catalogue.Field;
import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.catalogue.Sold.Effect;
import dev.octroi.api.openapi.Described;
import dev.octroi.api.price.ListPrices;
import dev.octroi.api.settings.PhoneSettings;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.payments.Entitlement;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import dev.octroi.payments.SignedInWallet;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.phone.Lookups;
import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.phone.PhoneNumbers.Country;
import dev.octroi.services.phone.TextMessages.TextMessage;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Providers;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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
      effect = Effect.ADDS,
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
  @Paid(by = NumberListTariff.class)
  @Described(answerSchema = "NumberList")
  public Response list(@Context SecurityContext security) {
    return service.list(
        SignedInWallet.of(security.getUserPrincipal())
            .map(SignedInWallet::payer)
            .orElseGet(() -> payment(security).owner()));
  }

  @POST
  @Path("numbers/release")
  @Sold(
      about = "Phone: gives a leased number back.",
      effect = Effect.FINAL,
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
      effect = Effect.ADDS,
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
  @Paid(by = LookupTariff.class)
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
  @Paid(by = LookupTariff.class)
  @Described(answerSchema = "FraudLookup")
  public Response fraud(byte[] body, @Context SecurityContext security) {
    return service.lookUp(body, payment(security), Lookups::fraud);
  }

  @POST
  @Path("sms/send")
  @Sold(
      about = "Phone: sends a text message from a leased number.",
      effect = Effect.FINAL,
      body = TextBody.class,
      example = "{\"from\":\"+14155550100\",\"to\":\"+14155550101\",\"body\":\"Hello\"}")
  @Paid(by = TextTariff.class, settle = Settle.BEFORE, redelivery = Redelivery.RESUMED)
  @Described(
      more =
          "A text of many parts or to a dear country costs more. 503 `sms_unavailable` and free"
              + " unless it is switched on.",
      answerSchema = "TextSent")
  public Response send(byte[] body, @Context SecurityContext security) {
    return service.send(body, payment(security));
  }

  private static Payment payment(SecurityContext security) {
    return Payment.of(security.getUserPrincipal())
        .orElseThrow(() -> new IllegalStateException("a paid method runs without a payment"));
  }

  /**
   * The prices of lookups: the listed ones, and no less than the vendor bills for their packages.
   */
  public record LookupTariff(Usd carrier, Usd fraud) implements Tariff {

    static LookupTariff of(PhoneSettings settings) {
      return new LookupTariff(
          Usd.parse(ListPrices.PHONE_LOOKUP).max(settings.lookupRate()),
          Usd.parse(ListPrices.PHONE_FRAUD).max(settings.fraudRate()));
    }

    @Override
    public Usd price(PricedRequest request) {
      return request.path().endsWith("/fraud") ? fraud : carrier;
    }
  }

  /**
   * The price of a text: the listed one, and no less than the vendor bills for its parts. A body
   * that is refused later, uncharged, has the listed one.
   */
  public record TextTariff(PhoneSettings settings, BodyReader bodies) implements Tariff {

    private static final Usd PRICE = Usd.parse(ListPrices.TEXT);

    @Override
    public Usd price(PricedRequest request) {
      try {
        TextMessage message = bodies.read(request.body(), TextBody.class).message();
        return settings
            .textRate(message.to())
            .map(rate -> PRICE.max(rate.times(message.parts())))
            .orElse(PRICE);
      } catch (Failure refused) {
        return PRICE;
      }
    }

    /**
     * Lets pass what the price covers.
     *
     * @throws Failure 400 for a text of too many parts, or to where texts have no rate
     */
    void requireCovered(TextMessage message) {
      if (settings.textRate(message.to()).isEmpty()) {
        throw new Failure(
            ErrorCode.INVALID_PHONE_NUMBER,
            "to is a number, or in a country, that this gateway sends no texts to: "
                + message.to().region()
                + ".");
      }
      if (message.parts() > settings.textParts()) {
        throw Failure.invalid(
            "body takes %d parts, and %d is the most here: a part has 160 characters, 70 where one is not of GSM-7, and less where there are several"
                .formatted(message.parts(), settings.textParts()));
      }
    }
  }

  /**
   * The price of the list of numbers.
   *
   * @param leases whether an owner leases any: who signs in as that has the list for nothing
   */
  public record NumberListTariff(Predicate<String> leases) implements Tariff {

    private static final Usd PRICE = Usd.parse(ListPrices.NUMBER_LIST);

    @Override
    public Usd price(PricedRequest request) {
      request.note(new Entitlement(leases));
      return PRICE;
    }
  }

  /** What names one number: lookups (specification, phone), renewals, releases (decisions). */
  record NumberBody(
      @Field(value = "E.164") @NotBlank(message = "is required") @Nullable String phoneNumber) {

    /**
     * The number.
     *
     * @throws dev.octroi.services.Failure 400 {@code invalid_phone_number}
     */
    PhoneNumber number() {
      return PhoneNumber.of("phoneNumber", Objects.requireNonNull(phoneNumber));
    }
  }

  /** {@code POST /numbers/buy} (specification, phone). */
  record BuyBody(
      @Field(value = "Where")
          @NotBlank(message = "is required")
          @Pattern(regexp = "US|CA", message = "is US or CA")
          @Nullable String country,
      @Field("A wish")
          @Pattern(regexp = "[2-9][0-9]{2}", message = "has three digits, the first of them 2 to 9")
          @Nullable String areaCode) {

    Country from() {
      return Country.valueOf(Objects.requireNonNull(country));
    }

    Optional<String> area() {
      return Optional.ofNullable(areaCode);
    }
  }

  /** {@code POST /sms/send} (decisions, SMS). */
  record TextBody(
      @Field("A number of yours") @NotBlank(message = "is required") @Nullable String from,
      @Field("E.164") @NotBlank(message = "is required") @Nullable String to,
      @NotBlank(message = "is required")
          @Size(max = TextMessage.LONGEST, message = "has at most 1,600 characters")
          @Nullable String body) {

    /**
     * The message.
     *
     * @throws Failure 400 {@code invalid_phone_number}, also for who must not be written to at our
     *     expense
     */
    TextMessage message() {
      PhoneNumber reader = PhoneNumber.of("to", Objects.requireNonNull(to));
      if (reader.isEmergencyOrPremium()) {
        throw new Failure(ErrorCode.INVALID_PHONE_NUMBER, "to is an emergency or premium number.");
      }
      PhoneNumber sender = PhoneNumber.of("from", Objects.requireNonNull(from));
      if (reader.equals(sender)) {
        throw new Failure(ErrorCode.INVALID_PHONE_NUMBER, "to is another number than from.");
      }
      return new TextMessage(sender, reader, Objects.requireNonNull(body));
    }
  }
}
