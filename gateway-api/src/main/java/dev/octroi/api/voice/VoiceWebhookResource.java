package dev.octroi.api.voice;

import dev.octroi.api.house.Mounted;
import dev.octroi.api.house.Refused;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Free;
import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.read.UpstreamJson;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the vendor tells of calls that have ended; not there without a secret. */
@Path(VoiceTerms.WEBHOOK_PATH)
public class VoiceWebhookResource {

  private static final int UNAUTHORIZED = 401;
  private static final int TOO_LONG = 413;

  /** A stranger can send one too; the transcript of the longest call takes less. */
  private static final int LONGEST = 256 << 10;

  private final Optional<VoiceEar> ear;

  public VoiceWebhookResource(@Context Providers providers) {
    ear = Mounted.of(providers, VoiceComponents.class).ear();
  }

  @POST
  @Free
  @Consumes(MediaType.APPLICATION_JSON)
  @Described(
      value = "Where the voice vendor tells of ended calls",
      headers = {"X-Webhook-Signature: HMAC of the body", "X-Webhook-Timestamp: when it was sent"},
      status = 204)
  public Response hear(
      InputStream body,
      @HeaderParam("X-Webhook-Signature") @Nullable String signature,
      @HeaderParam("X-Webhook-Timestamp") @Nullable String time)
      throws IOException {
    VoiceEar open = ear.orElseThrow(() -> Refused.unknown("There is no such path."));
    byte[] message = body.readNBytes(LONGEST + 1);
    if (message.length > LONGEST) {
      throw Refused.of(TOO_LONG, "The message is too long.");
    }
    String signed = Optional.ofNullable(signature).orElse("");
    if (!open.hears(message, signed, Optional.ofNullable(time))) {
      throw Refused.of(UNAUTHORIZED, "The message is not signed as it must be.");
    }
    return Response.noContent().build();
  }

  /**
   * Hears what the vendor tells of calls. A message is taken as a hint to ask the vendor, whose
   * answer counts: one that is sent again, or late, changes nothing. Thread-safe.
   */
  public static final class VoiceEar {

    private static final Logger LOG = LoggerFactory.getLogger(VoiceEar.class);

    private final WebhookSeal seal;
    private final CallStore store;
    private final CallFollower follower;
    private final Duration limit;
    private final Clock clock;

    VoiceEar(
        WebhookSeal seal, CallStore store, CallFollower follower, Duration limit, Clock clock) {
      this.seal = seal;
      this.store = store;
      this.follower = follower;
      this.limit = limit;
      this.clock = clock;
    }

    /**
     * Takes a message; false if it is not the vendor's. Of calls that are not known it is silent.
     */
    boolean hears(byte[] body, String signature, Optional<String> time) {
      if (!seal.isGenuine(body, signature, time, clock.instant())) {
        return false;
      }
      String reference = UpstreamJson.tree(body).path("call_id").asText("");
      Optional.of(reference)
          .filter(id -> !id.isEmpty())
          .flatMap(store::ofReference)
          .filter(call -> call.look().isPresent())
          .filter(call -> store.look(call, CallStore.LOOK_AGAIN))
          .ifPresent(this::ask);
      return true;
    }

    private void ask(PlacedCall call) {
      try {
        follower.refreshed(call, Deadline.in(limit));
      } catch (Failure later) {
        LOG.info("Call {} is asked about later: {}", call.id(), later.getMessage());
      }
    }
  }
}
