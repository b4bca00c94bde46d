package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.jdbc.Work.CompletionListener;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A transition of a claim, with the answer that is stored in the same commit. */
final class TransitionWork extends Work<Boolean> {

  private final Claim claim;
  private final Transition transition;
  private final byte @Nullable [] sealed;
  private final byte @Nullable [] reader;
  private final Optional<UUID> key;

  /**
   * @param reader for whom the answer is kept, see {@link Readers}; null if for its payment alone
   * @param key whose budget it may give back to, as far as this node knows
   */
  TransitionWork(
      Claim claim,
      Transition transition,
      byte @Nullable [] sealed,
      byte @Nullable [] reader,
      Optional<UUID> key,
      CompletionListener<Boolean> listener) {
    super(listener);
    this.key = key;
    this.claim = claim;
    this.transition = transition;
    this.sealed = sealed;
    this.reader = reader;
  }

  Claim claim() {
    return claim;
  }

  Transition transition() {
    return transition;
  }

  Optional<UUID> key() {
    return key;
  }

  byte @Nullable [] sealed() {
    return sealed;
  }

  byte @Nullable [] reader() {
    return reader;
  }

  /** Whether the payer's account changes with it, which must then be locked first. */
  boolean movesMoney() {
    return switch (transition.target()) {
      case SETTLED, FAILED, RELEASED -> true;
      case CLAIMED, SETTLING, IN_DOUBT -> false;
    };
  }

  /** Outcomes of claims that are held must be written; what begins a settlement need not. */
  @Override
  boolean mustRun() {
    return transition.firstSource() != PaymentState.CLAIMED || transition.closesUncharged();
  }
}
