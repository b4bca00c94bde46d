package dev.octroi.payments.ledger;

/** A request for a claim, unique in this node by its key. */
final class ClaimWork extends Work<ClaimResult> {

  private final ClaimRequest request;

  ClaimWork(ClaimRequest request, Aftermath<ClaimResult> aftermath) {
    super(aftermath);
    this.request = request;
  }

  ClaimRequest request() {
    return request;
  }

  @Override
  boolean mustRun() {
    return false;
  }
}
