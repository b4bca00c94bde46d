package dev.octroi.payments.ledger;

/** A request for a claim, unique in this node by its key. */
final class ClaimWork extends Work<ClaimResult> {

  private final OpenClaims.Entry entry;

  ClaimWork(OpenClaims.Entry entry, Aftermath<ClaimResult> aftermath) {
    super(aftermath);
    this.entry = entry;
  }

  OpenClaims.Entry entry() {
    return entry;
  }

  ClaimRequest request() {
    return entry.request();
  }

  @Override
  boolean mustRun() {
    return false;
  }
}
