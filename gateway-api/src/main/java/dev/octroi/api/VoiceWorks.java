package dev.octroi.api;

import dev.octroi.api.group.Group;
import dev.octroi.api.phone.PhoneWorks;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.VendorSettings;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.api.voice.CallReadTariff;
import dev.octroi.api.voice.VoiceRoom;
import dev.octroi.api.voice.VoiceTerms;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.reconcile.Chore;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamHost;
import dev.octroi.services.upstream.VenueWords;
import dev.octroi.services.voice.VendorCalls;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Calls, composed from the settings.
 *
 * @param vendor the connections to the voice vendor, if there is one
 */
record VoiceWorks(VoiceRoom room, CallReadTariff reading, Optional<UpstreamClient> vendor)
    implements Works {

  /** How long the vendor may take to list a call that it has placed. */
  private static final Duration LISTED = Duration.ofMinutes(1);

  /**
   * Opens the group; closed, if there is no vendor of calls or none of numbers to call from.
   *
   * @param phone tells which numbers calls may come from
   */
  static VoiceWorks open(
      GatewaySettings settings, PhoneWorks phone, Workshop workshop, UpstreamHost host) {
    VendorSettings voice = settings.upstream().voice();
    CallReadTariff reading = new CallReadTariff(settings.prices().callRecord());
    if (voice.baseAddress().isEmpty() || settings.upstream().phone().baseAddress().isEmpty()) {
      return new VoiceWorks(VoiceRoom.closed(), reading, Optional.empty());
    }
    UpstreamClient client = client(voice, host);
    VoiceRoom room =
        VoiceRoom.open(
            new VendorCalls(client),
            terms(settings, workshop),
            phone.numbers(),
            new BodyReader(settings.limits().jsonDepth()),
            workshop.statements(),
            workshop::effects,
            workshop.clock());
    return new VoiceWorks(room, reading, Optional.of(client));
  }

  /** Connections to the vendor, whose address must be set. */
  static UpstreamClient client(VendorSettings voice, UpstreamHost host) {
    return Services.client(Group.VOICE, voice, VenueWords.none(), VoiceWorks::bareKey, host);
  }

  private static VoiceTerms terms(GatewaySettings settings, Workshop workshop) {
    Duration limit = settings.upstream().voice().deadline();
    Optional<URI> webhook =
        settings
            .http()
            .publicUrl()
            .filter(base -> !settings.voice().webhookSecret().value().isEmpty())
            .map(base -> URI.create(withoutSlash(base.toString()) + VoiceTerms.WEBHOOK_PATH));
    return new VoiceTerms(
        settings.voice(), limit, workshop.longestCall().plus(limit).plus(LISTED), webhook);
  }

  private static String withoutSlash(String address) {
    return address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
  }

  /** The vendor wants its key without the word of a scheme. */
  private static Credential bareKey(String secret) {
    return Credential.header("authorization", secret);
  }

  @Override
  public List<Chore> chores() {
    return room.chores();
  }

  @Override
  public List<Tariff> tariffs() {
    return List.of(reading);
  }

  @Override
  public void close() {
    vendor.ifPresent(UpstreamClient::close);
  }
}
