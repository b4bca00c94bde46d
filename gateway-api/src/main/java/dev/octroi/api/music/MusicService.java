package dev.octroi.api.music;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.asset.Assets;
import dev.octroi.api.group.GroupContext.CallDeadlines;
import dev.octroi.api.music.MusicResource.ModelName;
import dev.octroi.api.music.MusicResource.MusicBody;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.payments.Payment;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.music.MusicCatalogue;
import dev.octroi.services.music.MusicCatalogue.MusicModel;
import dev.octroi.services.music.VendorMusic;
import dev.octroi.services.music.VendorMusic.Track;
import dev.octroi.services.music.VendorMusic.TrackOrder;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

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
