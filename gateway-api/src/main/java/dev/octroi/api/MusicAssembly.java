package dev.octroi.api;

import dev.octroi.api.group.Group;
import dev.octroi.api.music.MusicService;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.MusicSettings;
import dev.octroi.api.settings.MusicSettings.Tracks;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.services.music.VendorMusic;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamHost;
import dev.octroi.services.upstream.UpstreamSettings;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Music, composed from the settings; owns the connections to its vendor. */
record MusicAssembly(MusicService service, Optional<UpstreamClient> vendor)
    implements AutoCloseable {

  static MusicAssembly of(GatewaySettings settings, Clock clock, UpstreamHost host) {
    MusicSettings music = settings.music();
    Optional<UpstreamClient> client =
        music.baseAddress().map(address -> client(music, address, host));
    VendorMusic.Delivery delivery =
        new VendorMusic.Delivery(
            music.tracks() == Tracks.LINKED, music.format().name().toLowerCase(Locale.ROOT));
    MusicService service =
        new MusicService(
            music.models(),
            client.map(one -> new VendorMusic(one, delivery)),
            music.deadline(),
            new BodyReader(settings.limits().jsonDepth()),
            clock);
    return new MusicAssembly(service, client);
  }

  /** What is wrong with the settings, one sentence each. */
  static List<String> problems(MusicSettings settings) {
    try {
      settings.models();
      return List.of();
    } catch (IllegalArgumentException invalid) {
      return List.of("gateway.music.catalogue: " + invalid.getMessage());
    }
  }

  private static UpstreamClient client(MusicSettings settings, URI address, UpstreamHost host) {
    String secret = settings.credential().value();
    return new UpstreamClient(
        UpstreamSettings.of(Group.MUSIC.word(), address)
            .with(secret.isEmpty() ? Credential.none() : Credential.bearer(secret))
            .withDeadline(settings.deadline())
            .withMaxBodyBytes((int) settings.answer().bytes())
            .withMaxConnections(settings.atOnce())
            .withRetries(0),
        host);
  }

  @Override
  public void close() {
    vendor.ifPresent(UpstreamClient::close);
  }
}
