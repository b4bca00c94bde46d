package dev.octroi.api.voice;

import dev.octroi.api.house.Mounted;
import dev.octroi.api.house.Refused;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Free;
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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where the vendor tells of calls that have ended; not there without a secret. */
@Path(VoiceTerms.WEBHOOK_PATH)
public class VoiceWebhookResource {

  private static final int UNAUTHORIZED = 401;
  private static final int TOO_LONG = 413;

  /** A stranger can send one too; the transcript of the longest call takes less. */
  private static final int LONGEST = 256 << 10;

  private final Optional<VoiceEar> ear;

  public VoiceWebhookResource(@Context Providers providers) {
    this(Mounted.of(providers, VoiceComponents.class).ear());
  }

  VoiceWebhookResource(Optional<VoiceEar> ear) {
    this.ear = ear;
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
}
