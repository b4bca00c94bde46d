package dev.octroi.payments.ledger;

/** Closed here, or lost to another node: either way this node is done with it. */
final class EndAftermath implements Aftermath<Boolean> {

  private final Claim claim;
  private final OpenClaims open;

  EndAftermath(Claim claim, OpenClaims open) {
    this.claim = claim;
    this.open = open;
  }

  @Override
  public void done(Boolean moved) {
    open.leave(claim);
  }
}
