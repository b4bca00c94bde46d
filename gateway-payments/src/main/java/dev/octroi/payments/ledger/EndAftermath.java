package dev.octroi.payments.ledger;

import java.time.Clock;

/**
 * What a transition means to the call that made it. One that charges leaves this node with an
 * answer to deliver. After any other, made or lost to another node, this node is done with the
 * claim; but for a release that came too late, as whatever came before it ends the claim.
 */
final class EndAftermath implements Aftermath<Boolean> {

  private final Claim claim;
  private final Step step;
  private final OpenClaims open;
  private final Deliveries deliveries;
  private final Clock clock;

  EndAftermath(Claim claim, Step step, OpenClaims open, Deliveries deliveries, Clock clock) {
    this.claim = claim;
    this.step = step;
    this.open = open;
    this.deliveries = deliveries;
    this.clock = clock;
  }

  @Override
  public void done(Boolean moved) {
    if (moved && step.isCharge()) {
      open.of(claim).ifPresent(entry -> entry.paid(clock.instant()));
    } else if (moved || !step.isRelease()) {
      open.leave(claim);
    }
  }

  /** A call that was told nothing of its charge delivers nothing, so that a repeat may. */
  @Override
  public void unheard(Boolean moved) {
    if (moved && step.beginsToSettle() && step.isCharge()) {
      deliveries.givenBack(claim, step.owner());
      open.leave(claim);
    }
  }
}
