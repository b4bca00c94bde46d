package dev.octroi.api;

import dev.octroi.api.group.Group;
import dev.octroi.api.phone.PhoneBackgroundService;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.VendorSettings;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.api.voice.CallReadTariff;
import dev.octroi.api.voice.VoiceComponents;
import dev.octroi.api.voice.VoiceTerms;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.reconcile.RecurringTask;
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
record VoiceBackgroundService(
    VoiceComponents components, CallReadTariff reading, Optional<UpstreamClient> vendor)
    implements BackgroundService {

  /** How long the vendor may take to list a call that it has placed. */
  private static final Duration LISTED = Duration.ofMinutes(1);

  /**
   * Opens the group; closed, if there is no vendor of calls or none of numbers to call from.
   *
   * @param phone tells which numbers calls may come from
   */
  static VoiceBackgroundService open(
      GatewaySettings settings,
      PhoneBackgroundService phone,
      JobContext context,
      UpstreamHost host) {
    VendorSettings voice = settings.upstream().voice();
    CallReadTariff reading = new CallReadTariff(settings.prices().callRecord());
    if (voice.baseAddress().isEmpty() || settings.upstream().phone().baseAddress().isEmpty()) {
      return new VoiceBackgroundService(VoiceComponents.closed(), reading, Optional.empty());
    }
    UpstreamClient client = client(voice, host);
    VoiceComponents components =
        VoiceComponents.open(
            new VendorCalls(client),
            terms(settings, context),
            phone.numbers(),
            new BodyReader(settings.limits().jsonDepth()),
            context.statements(),
            context::effects,
            context.clock());
    return new VoiceBackgroundService(components, reading, Optional.of(client));
  }

  /** Connections to the vendor, whose address must be set. */
  static UpstreamClient client(VendorSettings voice, UpstreamHost host) {
    return Services.client(
        Group.VOICE, voice, VenueWords.none(), VoiceBackgroundService::bareKey, host);
  }

  private static VoiceTerms terms(GatewaySettings settings, JobContext context) {
    Duration limit = settings.upstream().voice().deadline();
    Optional<URI> webhook =
        settings
            .http()
            .publicUrl()
            .filter(base -> !settings.voice().webhookSecret().value().isEmpty())
            .map(base -> URI.create(withoutSlash(base.toString()) + VoiceTerms.WEBHOOK_PATH));
    return new VoiceTerms(
        settings.voice(), limit, context.longestCall().plus(limit).plus(LISTED), webhook);
  }

  private static String withoutSlash(String address) {
    return address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
  }

  /** The vendor wants its key without the word of a scheme. */
  private static Credential bareKey(String secret) {
    return Credential.header("authorization", secret);
  }

  @Override
  public List<RecurringTask> tasks() {
    return components.tasks();
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
