package dev.octroi.payments.ledger;

/** A claim is entered before anybody hears of it, and given back if nobody does. */
final class ClaimAftermath implements Aftermath<ClaimResult> {

  private final OpenClaims.Entry entry;
  private final OpenClaims open;
  private final Moves moves;
  private final Deliveries deliveries;

  ClaimAftermath(OpenClaims.Entry entry, OpenClaims open, Moves moves, Deliveries deliveries) {
    this.entry = entry;
    this.open = open;
    this.moves = moves;
    this.deliveries = deliveries;
  }

  @Override
  public void done(ClaimResult result) {
    if (result instanceof ClaimResult.Claimed claimed) {
      entry.hold(claimed.claim(), false);
    } else if (result instanceof ClaimResult.Rerun rerun) {
      entry.hold(rerun.claim(), true);
    } else {
      open.leave(entry);
    }
  }

  @Override
  public void unheard(ClaimResult result) {
    if (result instanceof ClaimResult.Claimed claimed) {
      moves.release(claimed.claim());
    } else if (result instanceof ClaimResult.Rerun rerun) {
      deliveries.givenBack(rerun.claim(), moves.owner(rerun.claim()));
      open.leave(entry);
    }
  }

  @Override
  public void notDone() {
    open.leave(entry);
  }
}
