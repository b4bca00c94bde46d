package dev.octroi.api.voice;

import dev.octroi.payments.effect.Attempt;
import dev.octroi.payments.effect.EffectVendor;
import dev.octroi.payments.ledger.Effects.Effect;
import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.voice.CallOrder;
import dev.octroi.services.voice.VoiceCalls;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Calls as effects that cannot be undone: placed once, and looked for at the vendor where the
 * gateway did not hear what became of them (money rule 6).
 *
 * @param limit how long the vendor may take
 * @param certainAfter how long after it was noted a call that the vendor does not know cannot come
 *     into being any more
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
