package dev.octroi.api.music;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.asset.Assets;
import dev.octroi.api.asset.BaseAddress;
import dev.octroi.api.asset.BaseAddress.Linking;
import dev.octroi.api.catalogue.Field;
import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.group.GroupContext.CallDeadlines;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.openapi.Described;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.music.MusicCatalogue;
import dev.octroi.services.music.MusicCatalogue.MusicModel;
import dev.octroi.services.music.VendorMusic;
import dev.octroi.services.music.VendorMusic.Track;
import dev.octroi.services.music.VendorMusic.TrackOrder;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Providers;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Music (specification, music): held open until the track is made, no job (decisions). */
@Path(MusicGroup.GENERATIONS)
public class MusicResource {

  private final MusicService service;
  private final Assets assets;

  public MusicResource(@Context Providers providers) {
    service = Mounted.of(providers, MusicService.class);
    assets = Mounted.of(providers, Assets.class);
  }

  @POST
  @Linking
  @Consumes(MediaType.APPLICATION_JSON)
  @Sold(
      about = "Music: makes a track from a prompt.",
      body = {ModelName.class, MusicBody.class},
      example =
          "{\"model\":\"provider-e/music-2.5\",\"prompt\":\"calm piano\",\"duration_seconds\":30}")
  @Paid(by = MusicTariff.class)
  @Described(answerSchema = "MusicAnswer")
  public Response generate(
      byte[] body,
      @Context SecurityContext security,
      @HeaderParam(BaseAddress.HEADER) String base) {
    return service.answer(body, Payment.of(security.getUserPrincipal()), assets, base);
  }

  /** The price of a track: its model's. A model that is not sold is 400, without a challenge. */
  public static final class MusicTariff implements Tariff {

    private final MusicService service;

    public MusicTariff(MusicService service) {
      this.service = service;
    }

    @Override
    public Usd price(PricedRequest request) {
      MusicModel model = service.model(request.body());
      request.note(model);
      return new Usd(model.micros());
    }
  }

  /** The one member of an order that decides its price. */
  public record ModelName(
      @Field(value = "A music model") @NotBlank(message = "is required") @Nullable String model) {}

  /** {@code POST /v1/audio/generations} (specification, music). */
  public record MusicBody(
      @Field(value = "Genre, mood, tempo")
          @NotBlank(message = "is required")
          @Size(
              max = TrackOrder.LONGEST_PROMPT,
              message = "has at most " + TrackOrder.LONGEST_PROMPT + " characters")
          @Nullable String prompt,
      @Field(value = "Nothing is sung", byDefault = "false") @Nullable Boolean instrumental,
      @Field("Ignored if instrumental; written to the prompt if there are none")
          @Size(
              max = TrackOrder.LONGEST_LYRICS,
              message = "has at most " + TrackOrder.LONGEST_LYRICS + " characters")
          @Nullable String lyrics,
      @Field(value = "A wish", byDefault = "" + TrackOrder.LONGEST_SECONDS)
          @JsonProperty("duration_seconds")
          @Min(value = 1, message = "is 1 to " + TrackOrder.LONGEST_SECONDS)
          @Max(
              value = TrackOrder.LONGEST_SECONDS,
              message = "is 1 to " + TrackOrder.LONGEST_SECONDS)
          @Nullable Integer seconds) {

    /** What it asks of a model; lyrics are of no use where nothing is sung. */
    TrackOrder order(MusicModel model) {
      boolean silent = Boolean.TRUE.equals(instrumental);
      return new TrackOrder(
          model,
          Objects.requireNonNull(prompt),
          silent,
          Optional.ofNullable(lyrics).filter(words -> !silent && !words.isBlank()),
          Objects.requireNonNullElse(seconds, TrackOrder.LONGEST_SECONDS));
    }
  }

  /**
   * Serves orders of tracks. Thread-safe.
   *
   * @param models what is sold
   * @param vendor who makes it; empty where there is none
   * @param limit how long a track may take, if its payment lives that long
   * @param bodies reads what is asked
   */
  public record MusicService(
      MusicCatalogue models,
      Optional<VendorMusic> vendor,
      Duration limit,
      BodyReader bodies,
      CallDeadlines deadlines) {

    private static final JsonMapper JSON = new JsonMapper();

    /**
     * The model that an order names.
     *
     * @throws Failure 400 if it names none, or none that is sold; 503 if nothing is
     */
    MusicModel model(byte[] body) {
      if (vendor.isEmpty()) {
        throw new Failure(ErrorCode.UPSTREAM_UNAVAILABLE, "This gateway has no music vendor.");
      }
      return models.require(Objects.requireNonNull(bodies.read(body, ModelName.class).model()));
    }

    Response answer(byte[] body, Optional<Payment> payment, Assets assets, String base) {
      MusicModel model =
          payment.flatMap(paid -> paid.noted(MusicModel.class)).orElseGet(() -> model(body));
      TrackOrder order = bodies.exact(body, MusicBody.class, "model").order(model);
      Track track = vendor.orElseThrow().compose(order, deadlines.of(payment, limit));
      String address =
          track instanceof Track.Sound sound
              ? assets.address(base, assets.keep(sound.bytes()))
              : ((Track.Linked) track).address().toString();
      ObjectNode record = JSON.createObjectNode();
      record
          .putArray("data")
          .addObject()
          .put("url", address)
          .put("duration_seconds", track.seconds())
          .put("lyrics", order.lyrics().orElse(null));
      return Response.ok(bytes(record), MediaType.APPLICATION_JSON_TYPE).build();
    }

    private static byte[] bytes(ObjectNode record) {
      try {
        return JSON.writeValueAsBytes(record);
      } catch (JsonProcessingException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
