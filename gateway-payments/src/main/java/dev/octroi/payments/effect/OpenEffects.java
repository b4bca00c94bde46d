package dev.octroi.payments.effect;

import dev.octroi.payments.effect.EffectVendor.Attempt;
import dev.octroi.payments.ledger.Effects;
import dev.octroi.payments.ledger.Effects.Effect;
import dev.octroi.payments.ledger.Effects.Ending;
import dev.octroi.payments.ledger.PaymentState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes effects whose calls have ended without: one run. Bears to be run twice at once, for each
 * effect is closed once.
 */
final class OpenEffects implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(OpenEffects.class);

  private static final int EFFECTS_A_RUN = 10;
  private static final int MAX_DOUBLINGS = 7;
  private static final Duration SHORTEST = Duration.ofSeconds(30);
  private static final Duration REFUNDS_OF = Duration.ofDays(7);

  private final EffectVendor vendor;
  private final Effects effects;
  private final EffectRunner runner;
  private final Clock clock;
  private final Duration over;

  /** A call that settles at its end still calls its vendor, which may take as long again. */
  OpenEffects(
      EffectVendor vendor,
      Effects effects,
      EffectRunner runner,
      Clock clock,
      Duration longestCall) {
    this.vendor = vendor;
    this.effects = effects;
    this.runner = runner;
    this.clock = clock;
    this.over = longestCall.multipliedBy(2);
  }

  @Override
  public void run() {
    Instant now = clock.instant();
    for (Effects.Open open : effects.due(vendor.kind(), now.minus(over), EFFECTS_A_RUN)) {
      close(open);
    }
    // A payment that counted as failed may have been taken by the chain after all.
    effects
        .unrefunded(vendor.kind(), now.minus(REFUNDS_OF), EFFECTS_A_RUN)
        .forEach(effect -> runner.refund(effect, effect.note()));
  }

  private void close(Effects.Open open) {
    Effect effect = open.effect();
    // A transaction that was lost after its call went on may have had the effect for nothing.
    PaymentState paid =
        open.sent() ? PaymentState.SETTLED : open.paid().orElse(PaymentState.SETTLED);
    switch (paid) {
      case FAILED, RELEASED ->
          runner.close(effect, Ending.notDone("not paid for"), Effects.Along.NOTHING);
      case SETTLED -> ask(open);
      case CLAIMED, SETTLING, IN_DOUBT -> later(open);
    }
  }

  private void ask(Effects.Open open) {
    Effect effect = open.effect();
    Attempt answer = runner.asked(effect);
    if (answer instanceof Attempt.Done done) {
      LOG.warn("Effect {} was found done as {}", effect.id(), done.reference());
      if (!runner.record(effect, done)) {
        later(open);
      }
    } else if (answer instanceof Attempt.NotDone not) {
      LOG.warn("Effect {} was found not done: {}", effect.id(), not.reason());
      if (!runner.close(effect, Ending.notDone(not.reason()), Effects.Along.NOTHING)) {
        later(open);
      }
    } else {
      later(open);
    }
  }

  private void later(Effects.Open open) {
    Duration pause = SHORTEST.multipliedBy(1L << Math.min(open.tries(), MAX_DOUBLINGS));
    LOG.info("Effect {} is still unknown; asked again in {}", open.effect().id(), pause);
    effects.later(open.effect().id(), clock.instant().plus(pause));
  }
}
