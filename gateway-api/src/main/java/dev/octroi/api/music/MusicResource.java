package dev.octroi.api.music;

import dev.octroi.api.asset.Assets;
import dev.octroi.api.asset.BaseAddress;
import dev.octroi.api.asset.Linking;
import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Providers;

/** Music (specification, music): held open until the track is made, no job (decisions). */
@Path(MusicGroup.GENERATIONS)
public class MusicResource {

  private final MusicService service;
  private final Assets assets;

  public MusicResource(@Context Providers providers) {
    this(Mounted.of(providers, MusicService.class), Mounted.of(providers, Assets.class));
  }

  MusicResource(MusicService service, Assets assets) {
    this.service = service;
    this.assets = assets;
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
}
