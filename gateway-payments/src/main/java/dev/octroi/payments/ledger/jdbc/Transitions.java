package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.ReleaseReason;
import dev.octroi.payments.ledger.jdbc.Transition.SettlementMode;
import dev.octroi.payments.ledger.jdbc.Work.CompletionListener;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes the transitions of this node's claims, each named by (id, state, attempt, node) (money rule
 * 1), and has them written. Thread-safe.
 */
record Transitions(
    OpenClaims open,
    Membership membership,
    Writers writers,
    Deliveries deliveries,
    Readers readers,
    Clock clock) {

  /** The epoch that claimed it; the current one where this node holds no such claim. */
  Owner owner(Claim claim) {
    Owner held = open.of(claim).map(OpenClaims.Entry::owner).orElse(null);
    return held == null ? membership.owner() : held;
  }

  /** CLAIMED → SETTLING, with the answer that is about to be charged. */
  TransitionWork settling(Claim claim, byte @Nullable [] sealed) {
    Transition transition = charging(claim, PaymentState.SETTLING, null, SettlementMode.CHAIN);
    return new TransitionWork(
        claim,
        transition,
        sealed,
        reader(claim),
        key(claim),
        new SettlingCompletion(claim, open, this));
  }

  /** CLAIMED → SETTLING, for an answer that has left. */
  TransitionWork settlingDelivered(Claim claim) {
    Transition transition = charging(claim, PaymentState.SETTLING, null, SettlementMode.DELIVERED);
    return work(claim, transition, null);
  }

  /** CLAIMED → SETTLED, with the answer that is charged, the books knowing it in one commit. */
  TransitionWork settlingHere(
      Claim claim, byte @Nullable [] sealed, String transaction, SettlementMode mode) {
    return work(claim, charging(claim, PaymentState.SETTLED, transaction, mode), sealed);
  }

  /**
   * Ends what this node holds, with or without a charge; under way, whether or not a caller waits.
   */
  TransitionWork end(
      Claim claim,
      PaymentState from,
      PaymentState target,
      @Nullable String transaction,
      @Nullable String reason) {
    PaymentState other = from == PaymentState.SETTLING ? PaymentState.IN_DOUBT : from;
    return submitted(
        claim, moving(claim, from, other, target, transaction, ReleaseReason.of(reason)));
  }

  /**
   * The payment stays SETTLING on a transaction that the facilitator's follower watches from now
   * on.
   */
  TransitionWork sent(Claim claim, String transaction) {
    PaymentState state = PaymentState.SETTLING;
    return submitted(claim, moving(claim, state, state, state, transaction, ReleaseReason.NONE));
  }

  /**
   * Closes an unresolved payment with proof, if id, attempt, state and owner are still as they were
   * read. This node's open claims and deliveries stay as they are: the call that sent the payment's
   * transaction may still be delivering its answer.
   */
  TransitionWork close(
      PaymentRow read, PaymentState target, @Nullable String transaction, @Nullable String reason) {
    Transition transition =
        Transition.of(
            read.claim(),
            read.owner(),
            read.state(),
            read.state(),
            target,
            transaction,
            ReleaseReason.of(reason));
    TransitionWork work =
        new TransitionWork(
            read.claim(), transition, null, null, read.apiKey(), CompletionListener.none());
    writers.submit(work);
    return work;
  }

  /** Gives a claim back; under way, whether or not a caller waits. */
  TransitionWork release(Claim claim, ReleaseReason why) {
    return submitted(claim, released(claim, why));
  }

  /**
   * Gives back a claim of which it is not known whether it has begun to settle. One that cannot be
   * given back may have begun: its settlement is then asked for its end, and no longer made.
   */
  void callOff(Claim claim, TransitionWork begun) {
    Transition transition = released(claim, ReleaseReason.of("ledger_unavailable"));
    EndCompletion end = new EndCompletion(claim, transition, open, deliveries, clock);
    CompletionListener<Boolean> listener =
        new CompletionListener<>() {
          @Override
          public void done(Boolean moved) {
            end.done(moved);
            if (!moved && !begun.isAcknowledged()) {
              begun.askForItsEnd();
              writers.submit(begun);
            }
          }
        };
    writers.submit(
        new TransitionWork(claim, transition, null, reader(claim), key(claim), listener));
  }

  private Transition moving(
      Claim claim,
      PaymentState from,
      PaymentState other,
      PaymentState target,
      @Nullable String transaction,
      ReleaseReason why) {
    return Transition.of(claim, owner(claim), from, other, target, transaction, why);
  }

  private TransitionWork submitted(Claim claim, Transition transition) {
    TransitionWork work = work(claim, transition, null);
    writers.submit(work);
    return work;
  }

  private Transition released(Claim claim, ReleaseReason why) {
    PaymentState from = PaymentState.CLAIMED;
    return moving(claim, from, from, PaymentState.RELEASED, null, why);
  }

  private TransitionWork work(Claim claim, Transition transition, byte @Nullable [] sealed) {
    CompletionListener<Boolean> listener =
        new EndCompletion(claim, transition, open, deliveries, clock);
    return new TransitionWork(claim, transition, sealed, reader(claim), key(claim), listener);
  }

  /** For whom the answer of a claim is kept; null if for its payment alone. */
  byte @Nullable [] reader(Claim claim) {
    return open.of(claim).map(entry -> readers.of(entry.request())).orElse(null);
  }

  private @Nullable Long charged(Claim claim) {
    return open.of(claim).map(OpenClaims.Entry::charged).orElse(null);
  }

  private Optional<UUID> key(Claim claim) {
    return open.of(claim).flatMap(entry -> entry.request().origin().key());
  }

  private Transition charging(
      Claim claim, PaymentState target, @Nullable String transaction, SettlementMode mode) {
    return Transition.charging(claim, owner(claim), target, transaction, mode, charged(claim));
  }

  /**
   * The call was not told that it may settle, so this node sent nothing: but only a chain proves
   * that.
   */
  record SettlingCompletion(Claim claim, OpenClaims open, Transitions transitions)
      implements CompletionListener<Boolean> {

    @Override
    public void done(Boolean moved) {
      if (moved) {
        open.of(claim).ifPresent(OpenClaims.Entry::settling);
      } else {
        open.leave(claim);
      }
    }

    @Override
    public void unheard(Boolean moved) {
      if (moved) {
        transitions.end(
            claim, PaymentState.SETTLING, PaymentState.IN_DOUBT, null, "ledger_unavailable");
      }
    }
  }
}
