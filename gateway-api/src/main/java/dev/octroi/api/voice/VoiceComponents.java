package dev.octroi.api.voice;

import dev.octroi.api.group.GroupContext;
import dev.octroi.api.phone.OwnedNumbers;
import dev.octroi.payments.reconcile.RecurringTask;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.voice.VoiceCalls;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

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
            context.effects(TransferEffect.by(vendor, terms, clock)));
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
}
