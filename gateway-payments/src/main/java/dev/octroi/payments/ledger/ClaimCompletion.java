package dev.octroi.payments.ledger;

import java.time.Clock;

/** A claim is entered before its caller hears of it, and given back if the caller never does. */
final class ClaimCompletion implements CompletionListener<ClaimResult> {

  private final OpenClaims.Entry entry;
  private final OpenClaims open;
  private final Transitions transitions;
  private final Deliveries deliveries;
  private final Clock clock;

  ClaimCompletion(
      OpenClaims.Entry entry,
      OpenClaims open,
      Transitions transitions,
      Deliveries deliveries,
      Clock clock) {
    this.entry = entry;
    this.open = open;
    this.transitions = transitions;
    this.deliveries = deliveries;
    this.clock = clock;
  }

  @Override
  public void done(ClaimResult result) {
    if (result instanceof ClaimResult.Claimed claimed) {
      entry.hold(claimed.claim());
    } else if (result instanceof ClaimResult.Rerun rerun) {
      entry.repeat(rerun.claim(), clock.instant());
    } else if (result instanceof ClaimResult.Replay replay) {
      entry.repeat(replay.claim(), clock.instant());
    } else {
      open.leave(entry);
    }
  }

  @Override
  public void unheard(ClaimResult result) {
    if (result instanceof ClaimResult.Claimed claimed) {
      transitions.release(claimed.claim());
    } else if (result instanceof ClaimResult.Rerun rerun) {
      giveBack(rerun.claim());
    } else if (result instanceof ClaimResult.Replay replay) {
      giveBack(replay.claim());
    }
  }

  private void giveBack(Claim claim) {
    deliveries.givenBack(claim, transitions.owner(claim));
    open.leave(entry);
  }

  @Override
  public void notDone() {
    open.leave(entry);
  }
}
