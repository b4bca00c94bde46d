package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.jdbc.Work.CompletionListener;
import java.time.Clock;

/**
 * What a transition means to the call that made it. One that charges leaves this node with an
 * answer to deliver. After any other, made or lost to another node, this node is done with the
 * claim; but for a release that came too late, as whatever came before it ends the claim.
 */
record EndCompletion(
    Claim claim, Transition transition, OpenClaims open, Deliveries deliveries, Clock clock)
    implements CompletionListener<Boolean> {

  @Override
  public void done(Boolean moved) {
    if (moved && transition.isCharge()) {
      open.of(claim).ifPresent(entry -> entry.paid(clock.instant()));
    } else if (moved || !transition.isRelease()) {
      open.leave(claim);
    }
  }

  /** A call that was told nothing of its charge delivers nothing, so that a repeat may. */
  @Override
  public void unheard(Boolean moved) {
    if (moved && transition.beginsToSettle() && transition.isCharge()) {
      deliveries.givenBack(claim, transition.owner());
      open.leave(claim);
    }
  }
}
