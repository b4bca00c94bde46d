package dev.octroi.api.voice;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.octroi.api.asset.BaseAddress;
import dev.octroi.api.asset.BaseAddress.Linking;
import dev.octroi.api.catalogue.Field;
import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.catalogue.Sold.Effect;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.openapi.Described;
import dev.octroi.api.price.ListPrices;
import dev.octroi.api.settings.VoiceSettings;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.api.voice.CallBody.Callee;
import dev.octroi.payments.Entitlement;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.voice.VoiceCalls.CallOrder;
import jakarta.validation.constraints.NotBlank;
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
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The voice group. */
@Path(VoiceGroup.CALLS)
public class VoiceResource {

  private final VoiceComponents components;

  public VoiceResource(@Context Providers providers) {
    components = Mounted.of(providers, VoiceComponents.class);
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Linking
  @Sold(
      about = "Voice: has an agent call a number from a leased one.",
      effect = Effect.FINAL,
      body = CallBody.class,
      example =
          "{\"from\":\"+14155550100\",\"to\":\"+14155550101\",\"task\":\"Ask for the opening hours.\"}")
  @Paid(by = CallTariff.class, settle = Settle.BEFORE, redelivery = Redelivery.RESUMED)
  @Described(
      more =
          "Outbound and English only, from a number that is leased to the payer. A long call or one"
              + " to a dear country costs more.",
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
      effect = Effect.FINAL,
      body = TransferBody.class,
      example = "{\"call_id\":\"…\",\"to\":\"+14155550101\"}")
  @Consumes(MediaType.APPLICATION_JSON)
  @Paid(by = TransferTariff.class, settle = Settle.BEFORE, redelivery = Redelivery.RESUMED)
  @Described(more = "A transfer to a dear country costs more.", answerSchema = "CallChanged")
  public Response transfer(byte[] body, @Context SecurityContext security) {
    return json(components.service().transfer(body, payment(security)));
  }

  @POST
  @Path("end")
  @Sold(
      about = "Voice: ends a running call.",
      effect = Effect.FINAL,
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

  /**
   * The price of a call: the listed one, and no less than the vendor and the carrier bill for its
   * longest duration. It is refused before a payment is asked for where the vendor would refuse it
   * afterwards.
   *
   * @param fromLeased whether the vendor calls from leased numbers
   */
  public record CallTariff(boolean fromLeased, VoiceSettings settings, BodyReader bodies)
      implements Tariff {

    private static final Usd PRICE = Usd.parse(ListPrices.CALL);

    @Override
    public Usd price(PricedRequest request) {
      if (!fromLeased) {
        throw new Failure(
            ErrorCode.NOT_OFFERED,
            "This gateway cannot call from leased numbers: its operator has not set the voice"
                + " vendor's key for their carrier");
      }
      return PRICE.max(bill(request.body()));
    }

    /** That of the usual duration for a body that is refused later, uncharged. */
    private Usd bill(byte[] body) {
      try {
        CallBody call = bodies.read(body, CallBody.class);
        return settings.minuteRate().plus(carrier(settings, call.to())).times(call.minutes());
      } catch (Failure refused) {
        return settings.minuteRate().times(CallOrder.DEFAULT_MINUTES);
      }
    }
  }

  /**
   * The price of handing a call over: the listed one, and no less than the carrier bills for as
   * long as any call lasts.
   */
  public record TransferTariff(VoiceSettings settings, BodyReader bodies) implements Tariff {

    private static final Usd PRICE = Usd.parse(ListPrices.CALL_TRANSFER);

    @Override
    public Usd price(PricedRequest request) {
      try {
        TransferBody asked = bodies.read(request.body(), TransferBody.class);
        return PRICE.max(carrier(settings, asked.to()).times(CallOrder.MOST_MINUTES));
      } catch (Failure refused) {
        return PRICE;
      }
    }
  }

  /** What the carrier bills for a minute; nothing for what is refused later, uncharged. */
  private static Usd carrier(VoiceSettings settings, @Nullable String to) {
    return Optional.ofNullable(to)
        .flatMap(PhoneNumber::parse)
        .flatMap(settings::callRate)
        .orElse(Usd.ZERO);
  }

  /**
   * The price of reading a call's record: the list's, or nothing (decisions, voice call record).
   *
   * @param price zero where reading is free
   * @param payers who paid for a call, by its id: who signs in as that reads its record for nothing
   */
  public record CallReadTariff(Usd price, Function<String, Optional<String>> payers)
      implements Tariff {

    @Override
    public Usd price(PricedRequest request) {
      String id = request.pathParameters().getOrDefault("id", List.of("")).get(0);
      request.note(new Entitlement(owner -> payers.apply(id).filter(owner::equals).isPresent()));
      return price;
    }
  }

  /** {@code POST /call/end} (decisions, end). */
  record EndBody(
      @Field("The call") @JsonProperty("call_id") @NotBlank(message = "(call_id) is required")
          @Nullable String callId) {

    String call() {
      return Objects.requireNonNull(callId);
    }
  }

  /** {@code POST /call/transfer} (decisions, transfer). */
  record TransferBody(
      @Field("The call") @JsonProperty("call_id") @NotBlank(message = "(call_id) is required")
          @Nullable String callId,
      @Field("E.164") @NotBlank(message = "is required") @Nullable String to) {

    String call() {
      return Objects.requireNonNull(callId);
    }

    /**
     * Whom the call is handed to.
     *
     * @throws Failure 400 {@code invalid_phone_number}
     */
    PhoneNumber callee() {
      return Callee.of("to", Objects.requireNonNull(to));
    }
  }
}
