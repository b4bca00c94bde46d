package dev.octroi.payments.ledger;

import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A transition of a claim, with the answer that is stored in the same commit. */
final class MoveWork extends Work<Boolean> {

  private final Claim claim;
  private final Step step;
  private final byte @Nullable [] sealed;
  private final Optional<UUID> key;

  /**
   * @param key whose budget it may give back to, as far as this node knows
   */
  MoveWork(
      Claim claim,
      Step step,
      byte @Nullable [] sealed,
      Optional<UUID> key,
      Aftermath<Boolean> aftermath) {
    super(aftermath);
    this.key = key;
    this.claim = claim;
    this.step = step;
    this.sealed = sealed;
  }

  Claim claim() {
    return claim;
  }

  Step step() {
    return step;
  }

  Optional<UUID> key() {
    return key;
  }

  byte @Nullable [] sealed() {
    return sealed;
  }

  /** Whether the payer's account changes with it, which must then be locked first. */
  boolean movesMoney() {
    return switch (step.target()) {
      case SETTLED, FAILED, RELEASED -> true;
      case CLAIMED, SETTLING, IN_DOUBT -> false;
    };
  }

  /** Outcomes of claims that are held must be written; what begins a settlement need not. */
  @Override
  boolean mustRun() {
    return step.firstSource() != PaymentState.CLAIMED || step.target() == PaymentState.RELEASED;
  }
}
