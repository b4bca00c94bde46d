package dev.octroi.api.voice;

import dev.octroi.payments.effect.EffectVendor.Attempt;
import dev.octroi.payments.ledger.Effects.Effect;
import dev.octroi.services.voice.VoiceCalls.Placed;
import java.time.Duration;
import java.time.Instant;

/** What the vendor's answers mean to the effects that they were given for. */
final class Attempts {

  private Attempts() {}

  static Attempt of(Placed placed) {
    if (placed instanceof Placed.Done done) {
      return done(done.reference());
    }
    return placed instanceof Placed.Refused refused
        ? new Attempt.NotDone(refused.why().reason())
        : new Attempt.Unknown();
  }

  static Attempt done(String reference) {
    return new Attempt.Done(reference, "");
  }

  /** What the vendor does not know may still be on its way to it, until it cannot be any more. */
  static Attempt notFound(Effect effect, Instant asked, Duration certainAfter) {
    return asked.isAfter(effect.begun().plus(certainAfter))
        ? new Attempt.NotDone("The network knows of no such call")
        : new Attempt.Unknown();
  }
}
