package dev.octroi.payments.ledger;

import dev.octroi.payments.ControlCharacters;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes the transitions of this node's claims, each named by (id, state, attempt, node) (money rule
 * 1), and has them written. Thread-safe.
 */
final class Moves {

  private static final int MAX_REASON = 200;

  private final OpenClaims open;
  private final Membership membership;
  private final Writers writers;
  private final Deliveries deliveries;
  private final Clock clock;

  Moves(
      OpenClaims open, Membership membership, Writers writers, Deliveries deliveries, Clock clock) {
    this.open = open;
    this.membership = membership;
    this.writers = writers;
    this.deliveries = deliveries;
    this.clock = clock;
  }

  /** The epoch that claimed it; the current one where this node holds no such claim. */
  Owner owner(Claim claim) {
    Owner held = open.of(claim).map(OpenClaims.Entry::owner).orElse(null);
    return held == null ? membership.owner() : held;
  }

  /** CLAIMED → SETTLING, with the answer that is about to be charged. */
  MoveWork settling(Claim claim, byte @Nullable [] sealed) {
    Step step = step(claim, PaymentState.CLAIMED, PaymentState.SETTLING, null, null, Purse.CHAIN);
    Step charging = step.charging(charged(claim));
    return new MoveWork(
        claim, charging, sealed, key(claim), new SettlingAftermath(claim, open, this));
  }

  /** CLAIMED → SETTLED, with the answer that is charged, the books knowing it in one commit. */
  MoveWork settlingHere(Claim claim, byte @Nullable [] sealed, String transaction, Purse purse) {
    Step step = step(claim, PaymentState.CLAIMED, PaymentState.SETTLED, transaction, null, purse);
    return work(claim, step.charging(charged(claim)), sealed);
  }

  /**
   * Ends what this node holds, with or without a charge; under way, whether or not a caller waits.
   */
  MoveWork end(
      Claim claim,
      PaymentState from,
      PaymentState target,
      @Nullable String transaction,
      @Nullable String reason) {
    Step step = step(claim, from, target, transaction, reason, Purse.CHAIN);
    MoveWork work = work(claim, step, null);
    writers.submit(work);
    return work;
  }

  /** SETTLING stays, on a transaction that somebody else follows from now on. */
  MoveWork sent(Claim claim, String transaction) {
    PaymentState state = PaymentState.SETTLING;
    Step step =
        new Step(
            claim.id(),
            claim.attempt(),
            owner(claim),
            state,
            state,
            state,
            transaction,
            null,
            Purse.CHAIN);
    MoveWork work = work(claim, step, null);
    writers.submit(work);
    return work;
  }

  /**
   * Closes with proof a payment whose end was not known, naming it as it was read. Of a transaction
   * that was on its way, the answer may still be as well.
   */
  MoveWork close(
      PaymentRow read, PaymentState target, @Nullable String transaction, @Nullable String reason) {
    Step step =
        new Step(
            read.id(),
            read.attempt(),
            read.owner(),
            read.state(),
            read.state(),
            target,
            transaction,
            bounded(reason),
            Purse.CHAIN);
    MoveWork work = new MoveWork(read.claim(), step, null, read.apiKey(), Aftermath.none());
    writers.submit(work);
    return work;
  }

  /** Gives a claim back that its caller no longer waits for. */
  void release(Claim claim) {
    end(claim, PaymentState.CLAIMED, PaymentState.RELEASED, null, null);
  }

  private MoveWork work(Claim claim, Step step, byte @Nullable [] sealed) {
    Aftermath<Boolean> aftermath = new EndAftermath(claim, step, open, deliveries, clock);
    return new MoveWork(claim, step, sealed, key(claim), aftermath);
  }

  private @Nullable Long charged(Claim claim) {
    return open.of(claim).map(OpenClaims.Entry::charged).orElse(null);
  }

  private Optional<UUID> key(Claim claim) {
    return open.of(claim).flatMap(entry -> entry.request().origin().key());
  }

  private Step step(
      Claim claim,
      PaymentState from,
      PaymentState target,
      @Nullable String transaction,
      @Nullable String reason,
      Purse purse) {
    PaymentState other = from == PaymentState.SETTLING ? PaymentState.IN_DOUBT : from;
    return new Step(
        claim.id(),
        claim.attempt(),
        owner(claim),
        from,
        other,
        target,
        transaction,
        bounded(reason),
        purse);
  }

  private static @Nullable String bounded(@Nullable String reason) {
    String kept = ControlCharacters.replacedIn(reason);
    return kept == null ? null : kept.substring(0, Math.min(kept.length(), MAX_REASON));
  }
}
