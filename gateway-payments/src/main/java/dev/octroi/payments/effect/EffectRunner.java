package dev.octroi.payments.effect;

import dev.octroi.payments.ControlCharacters;
import dev.octroi.payments.Payment;
import dev.octroi.payments.effect.EffectVendor.Attempt;
import dev.octroi.payments.ledger.Effects;
import dev.octroi.payments.ledger.Effects.Effect;
import dev.octroi.payments.ledger.Effects.Ending;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.Refund;
import dev.octroi.payments.ledger.Refunds;
import dev.octroi.payments.ledger.Refunds.RefundResult;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.reconcile.RecurringTask;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has effects of one kind done: noted, paid for, done, and closed, in this order (money rule 6).
 * Thread-safe.
 *
 * <p>Whatever happens in between, and on whichever node, a payment has its effect done once at
 * most. An effect that certainly was not done is refunded. One whose end is not known is closed
 * only by asking the vendor, by the payment's next call or by the {@link #task}.
 */
public final class EffectRunner {

  private static final Logger LOG = LoggerFactory.getLogger(EffectRunner.class);

  /** Each holds a thread of the server for as long as its vendor takes, or hangs. */
  private static final int MOST = 32;

  private final EffectVendor vendor;
  private final Effects effects;
  private final Refunds refunds;
  private final Clock clock;
  private final Duration longestCall;
  private final Semaphore places = new Semaphore(MOST);

  /**
   * Makes a runner.
   *
   * @param ledger where payments and effects stand; stays the caller's to close
   * @param longestCall how long a call may last, and how long the vendor may take in it
   */
  public EffectRunner(EffectVendor vendor, JdbcLedger ledger, Clock clock, Duration longestCall) {
    this.vendor = vendor;
    this.effects = ledger.effects();
    this.refunds = ledger.refunds();
    this.clock = clock;
    this.longestCall = longestCall;
  }

  /**
   * Has an effect done for the payment of this call, or finds what became of it in an earlier call
   * of the same payment.
   *
   * @param payment of a method that settles {@link dev.octroi.payments.Settle#BEFORE}; settled here
   * @param intent what the vendor is asked for, in the form of its connector, at most 24,000
   *     characters; no secrets
   * @throws RuntimeException what {@link Payment#settle} throws where the payment did not settle,
   *     and {@link EffectVendor#requireReachable} before
   */
  public EffectResult perform(Payment payment, String intent) {
    if (!places.tryAcquire()) {
      return new EffectResult.Busy();
    }
    try {
      return perform(payment, intent, vendor::attempt);
    } finally {
      places.release();
    }
  }

  /**
   * The same, attempted by what knows the call and bounds how many there are.
   *
   * @param attempt in place of the vendor's own
   */
  public EffectResult perform(Payment payment, String intent, Function<Effect, Attempt> attempt) {
    if (!payment.isSettled()) {
      vendor.requireReachable();
    }
    Effect effect = effects.begin(payment.use(), vendor.kind(), intent);
    if (!payment.isSettled()) {
      // The vendor is called after it only: if this throws, nothing was done, and the task says
      // so.
      payment.settle();
    }
    return switch (effect.outcome()) {
      case DONE -> done(payment, effect, effect.vendorReference(), effect.details());
      case NOT_DONE -> failed(effect, effect.note());
      case UNKNOWN ->
          concluded(payment, effect, effect.isNew() ? attempted(effect, attempt) : asked(effect));
    };
  }

  /**
   * Notes what this very call is about to deliver piece by piece, such as a stream that is charged
   * before its first piece leaves. The call says what came of it by {@link #end}; where its node
   * dies before, the {@link #task} asks the vendor.
   *
   * @param payment still claimed: the money moves afterwards
   * @param intent as with {@link #perform}
   */
  public Effect begin(Payment payment, String intent) {
    return effects.begin(payment.use(), vendor.kind(), intent);
  }

  /**
   * Ends what this call has begun: what was not done is refunded, if it was paid for. What cannot
   * be written now is left to the {@link #task}.
   *
   * @return the refund, if there is one to tell of
   */
  public Optional<Refund> end(Effect effect, Attempt outcome) {
    if (outcome instanceof Attempt.Done done) {
      record(effect, done);
    } else if (outcome instanceof Attempt.NotDone not
        && close(effect, Ending.notDone(not.reason()), Effects.Along.NOTHING)) {
      try {
        return refund(effect, not.reason());
      } catch (LedgerUnavailable e) {
        LOG.error("The refund of effect {} was not noted now", effect.id(), e);
      }
    }
    return Optional.empty();
  }

  /** Closes what calls have left open, on whichever node. */
  public RecurringTask task() {
    return new RecurringTask(
        "effects-" + vendor.kind(),
        Duration.ofSeconds(10),
        new OpenEffects(vendor, effects, this, clock, longestCall));
  }

  /**
   * Closes an effect of unknown outcome with what the operator has found out, as if its vendor had
   * told: what was done is recorded, what was not is refunded.
   *
   * @param told what is known
   * @param reason how it is known, for the books
   * @return false if it was closed before, or its call may be under way yet
   */
  public boolean closeByHand(Effect effect, Attempt told, String reason) {
    Instant over = effect.begun().plus(longestCall.multipliedBy(2));
    if (told instanceof Attempt.Unknown || clock.instant().isBefore(over)) {
      return false;
    }
    if (told instanceof Attempt.Done done) {
      Ending ending = new Ending(Effects.Outcome.DONE, done.reference(), done.details(), reason);
      return effects.close(effect, ending, handle -> vendor.record(handle, effect, done));
    }
    boolean closed = effects.close(effect, Ending.notDone(reason), Effects.Along.NOTHING);
    if (closed) {
      refund(effect, reason);
    }
    return closed;
  }

  private EffectResult concluded(Payment payment, Effect effect, Attempt attempt) {
    if (attempt instanceof Attempt.Done done) {
      return record(effect, done)
          ? done(payment, effect, done.reference(), done.details())
          : found(payment, effect);
    }
    if (attempt instanceof Attempt.NotDone not) {
      return close(effect, Ending.notDone(not.reason()), Effects.Along.NOTHING)
          ? failed(effect, not.reason())
          : found(payment, effect);
    }
    return new EffectResult.Unknown();
  }

  /** Another run closed the effect first, or the ledger did not answer: the stored row counts. */
  private EffectResult found(Payment payment, Effect effect) {
    Effect now = effects.find(effect.id()).orElse(effect);
    return switch (now.outcome()) {
      case DONE -> done(payment, now, now.vendorReference(), now.details());
      case NOT_DONE -> failed(now, now.note());
      case UNKNOWN -> new EffectResult.Unknown();
    };
  }

  private static EffectResult done(
      Payment payment, Effect effect, String reference, String details) {
    return new EffectResult.Done(effect, reference, details, payment.transaction());
  }

  private EffectResult failed(Effect effect, String reason) {
    return new EffectResult.Failed(reason, refund(effect, reason));
  }

  /** Writes down what was done; false if it was closed before, or could not be written. */
  boolean record(Effect effect, Attempt.Done done) {
    boolean written =
        close(
            effect,
            Ending.done(done.reference(), done.details()),
            handle -> vendor.record(handle, effect, done));
    if (!written) {
      LOG.warn(
          "Effect {} was done as {}, which was not written now", effect.id(), done.reference());
    }
    return written;
  }

  boolean close(Effect effect, Ending ending, Effects.Along along) {
    try {
      return effects.close(effect, ending, along);
    } catch (LedgerUnavailable e) {
      LOG.error("Effect {} could not be closed as {}", effect.id(), ending.outcome(), e);
      return false;
    }
  }

  /** What was paid goes back; asked for again, the same refund is found. */
  public Optional<Refund> refund(Effect effect, String reason) {
    String told = Objects.requireNonNull(ControlCharacters.replacedIn(reason));
    String why = "not done: " + (told.isBlank() ? effect.kind() : told);
    RefundResult result =
        refunds.ask(
            effect.payment(),
            OptionalLong.empty(),
            why.substring(0, Math.min(why.length(), 200)),
            effect.refundKey());
    if (result instanceof RefundResult.Noted noted) {
      return Optional.of(noted.refund());
    }
    LOG.warn("Effect {} was not done, and is not refunded: {}", effect.id(), result);
    return Optional.empty();
  }

  private Attempt attempted(Effect effect, Function<Effect, Attempt> attempt) {
    if (clock.instant().isAfter(effect.begun().plus(longestCall))) {
      LOG.warn("Effect {} was paid for too late to be done", effect.id());
      return new Attempt.NotDone("paid for too late");
    }
    return heard(effect, () -> attempt.apply(effect));
  }

  Attempt asked(Effect effect) {
    return heard(effect, () -> vendor.ask(effect));
  }

  private static Attempt heard(Effect effect, Supplier<Attempt> vendor) {
    try {
      return vendor.get();
    } catch (RuntimeException e) {
      LOG.error("The vendor of effect {} was not understood", effect.id(), e);
      return new Attempt.Unknown();
    }
  }

  /** What came of an effect that was paid for. */
  public sealed interface EffectResult {

    /**
     * It was done, by this call or by an earlier one of the same payment.
     *
     * @param reference the vendor's id of it
     * @param details what else is known of it
     * @param transaction what paid for it
     */
    record Done(Effects.Effect effect, String reference, String details, String transaction)
        implements EffectResult {}

    /**
     * It certainly was not done, and what was paid goes back.
     *
     * @param refund paid or owed; empty while the payment's transaction is not final, after which
     *     the refund is noted
     */
    record Failed(String reason, Optional<Refund> refund) implements EffectResult {}

    /** Not known yet: 503 with {@code Retry-After}, "send the same again". */
    record Unknown() implements EffectResult {}

    /** Too many are under way: this call has noted, paid for and done nothing. 503. */
    record Busy() implements EffectResult {}
  }

  /**
   * Closes effects whose calls have ended without: one run. Bears to be run twice at once, for each
   * effect is closed once.
   */
  static final class OpenEffects implements Runnable {

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
}
