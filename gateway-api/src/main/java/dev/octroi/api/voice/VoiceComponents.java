package dev.octroi.api.voice;

import dev.octroi.api.group.GroupContext;
import dev.octroi.api.phone.PhoneGroup.OwnedNumbers;
import dev.octroi.api.voice.PlacedCall.CallIntent;
import dev.octroi.api.voice.VoiceWebhookResource.VoiceEar;
import dev.octroi.payments.effect.EffectVendor;
import dev.octroi.payments.effect.EffectVendor.Attempt;
import dev.octroi.payments.ledger.Effects.Effect;
import dev.octroi.payments.reconcile.RecurringTask;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.voice.VoiceCalls;
import dev.octroi.services.voice.VoiceCalls.CallOrder;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Calls and all that goes with them: what serves them, and what the gateway does for them unasked.
 * Thread-safe.
 *
 * @param open serves the group; empty where there is no vendor
 * @param ear hears the vendor's messages; empty without a secret, when the gateway cannot tell who
 *     sent one
 * @param tasks what is done beside the calls
 */
record VoiceComponents(
    Optional<VoiceService> open, Optional<VoiceEar> ear, List<RecurringTask> tasks) {

  private static final Duration FORGETTING = Duration.ofMinutes(10);
  private static final int CALLS_A_RUN = 500;

  /** Places no calls. */
  static VoiceComponents closed() {
    return new VoiceComponents(Optional.empty(), Optional.empty(), List.of());
  }

  /** Places calls. */
  static VoiceComponents open(
      VoiceCalls vendor, VoiceTerms terms, OwnedNumbers numbers, GroupContext context) {
    Clock clock = context.clock();
    CallStore store = new CallStore(context.statements(), clock);
    CallFollower follower = new CallFollower(vendor, store);
    VoiceService service =
        new VoiceService(
            terms,
            context.bodies(),
            numbers,
            store,
            follower,
            context.effects(StartEffect.by(vendor, terms, clock)),
            context.effects(
                TransferEffect.by(vendor, terms, context.alike(terms.certainAfter()), clock)));
    return new VoiceComponents(
        Optional.of(service),
        terms.seal().map(seal -> new VoiceEar(seal, store, follower, terms.limit(), clock)),
        List.of(
            new RecurringTask("voice-follow", CallStore.LOOK_AGAIN, follower::follow),
            new RecurringTask("voice-forget", FORGETTING, () -> forget(store, terms, clock))));
  }

  private static void forget(CallStore store, VoiceTerms terms, Clock clock) {
    store.forget(clock.instant().minus(terms.settings().transcripts()), CALLS_A_RUN);
    store.delete(clock.instant().minus(terms.settings().retention()), CALLS_A_RUN);
  }

  /** What serves the group, without which the gateway refuses the group's calls. */
  VoiceService service() {
    return open.orElseThrow(
        () -> new Failure(ErrorCode.UPSTREAM_UNAVAILABLE, "This gateway places no calls"));
  }

  /**
   * Calls as effects that cannot be undone: placed once, and looked for at the vendor where the
   * gateway did not hear what became of them (money rule 6).
   *
   * @param limit how long the vendor may take
   * @param certainAfter how long after it was noted a call that the vendor does not know cannot
   *     come into being any more
   * @param webhook where the vendor is to tell of a call's end
   */
  record StartEffect(
      VoiceCalls vendor, Duration limit, Duration certainAfter, Optional<URI> webhook, Clock clock)
      implements EffectVendor {

    static final String KIND = "voice-call";

    static StartEffect by(VoiceCalls vendor, VoiceTerms terms, Clock clock) {
      return new StartEffect(vendor, terms.limit(), terms.certainAfter(), terms.webhook(), clock);
    }

    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public void requireReachable() {
      vendor.requireReachable();
    }

    @Override
    public Attempt attempt(Effect effect) {
      CallOrder order = CallIntent.of(effect.intent()).order().toldAt(webhook);
      return Attempts.of(vendor.start(order, effect.vendorKey(), Deadline.in(limit)));
    }

    @Override
    public Attempt ask(Effect effect) {
      CallOrder order = CallIntent.of(effect.intent()).order();
      Instant asked = clock.instant();
      try {
        return vendor
            .find(order, effect.vendorKey(), effect.begun(), Deadline.in(limit))
            .map(Attempts::done)
            .orElseGet(() -> Attempts.notFound(effect, asked, certainAfter));
      } catch (Failure noAnswer) {
        return new Attempt.Unknown();
      }
    }

    @Override
    public void record(Handle handle, Effect effect, Attempt.Done done) {
      Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
      CallIntent intent = CallIntent.of(effect.intent());
      CallStore.insert(
          handle,
          PlacedCall.initiated(effect.id(), done.reference(), intent, now, now.plusSeconds(1)));
    }
  }
}
