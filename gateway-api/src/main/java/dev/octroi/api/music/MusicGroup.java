package dev.octroi.api.music;

import dev.octroi.api.group.BuiltInGroup;
import dev.octroi.api.group.ConfiguredGroup;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.Group.ErrorShape;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.Upstream;
import dev.octroi.api.music.MusicResource.MusicService;
import dev.octroi.api.music.MusicResource.MusicTariff;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.MusicSettings;
import dev.octroi.api.settings.MusicSettings.Tracks;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.music.VendorMusic;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.UpstreamSettings;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Music: tracks that one vendor makes. */
public final class MusicGroup extends BuiltInGroup {

  static final String WORD = "music";
  static final String BASE = "/v1/audio";
  static final String GENERATIONS = BASE + "/generations";

  public MusicGroup() {
    super(
        new Profile(
            WORD,
            "Music",
            "A track of up to three minutes from a prompt.",
            ErrorShape.RELAY,
            List.of(BASE),
            List.of(ErrorCode.MODEL_NOT_FOUND, ErrorCode.CONTENT_FILTERED)),
        MusicResource.class);
  }

  @Override
  public ConfiguredGroup configured(GatewaySettings settings, Clock clock) {
    return new Configured(this, settings);
  }

  private record Configured(Group group, GatewaySettings settings) implements ConfiguredGroup {

    @Override
    public List<SoldRow> rows() {
      return List.of(SoldRow.counted(group, GENERATIONS));
    }

    @Override
    public List<Upstream> upstreams() {
      return vendor().stream().toList();
    }

    private Optional<Upstream> vendor() {
      MusicSettings music = settings.music();
      String secret = music.credential().value();
      return music
          .baseAddress()
          .map(
              address ->
                  Upstream.of(
                      "gateway.music",
                      UpstreamSettings.of(WORD, address)
                          .with(secret.isEmpty() ? Credential.none() : Credential.bearer(secret))
                          .withDeadline(music.deadline())
                          .withMaxBodyBytes((int) music.answer().bytes())
                          .withMaxConnections(music.atOnce())
                          .withRetries(0)));
    }

    @Override
    public List<String> problems() {
      try {
        settings.music().models();
        return List.of();
      } catch (IllegalArgumentException invalid) {
        return List.of("gateway.music.catalogue: " + invalid.getMessage());
      }
    }

    @Override
    public List<String> missing() {
      return settings.music().baseAddress().isPresent()
          ? List.of()
          : List.of("gateway.music.base-address is not set: without it no music is sold");
    }

    @Override
    public OpenGroup open(GroupContext context) {
      MusicSettings music = settings.music();
      VendorMusic.Delivery delivery =
          new VendorMusic.Delivery(
              music.tracks() == Tracks.LINKED, music.format().name().toLowerCase(Locale.ROOT));
      MusicService service =
          new MusicService(
              music.models(),
              vendor().map(one -> new VendorMusic(context.client(one), delivery)),
              music.deadline(),
              context.bodies(),
              context.deadlines());
      return OpenGroup.of(service).with(new MusicTariff(service));
    }
  }
}
