package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.jdbc.Work.CompletionListener;

/** A request for a claim, unique in this node by its key. */
final class ClaimWork extends Work<ClaimResult> {

  private final OpenClaims.Entry entry;
  private final boolean late;

  /**
   * @param late whether the payment's time is over, so that it reserves nothing
   */
  ClaimWork(OpenClaims.Entry entry, boolean late, CompletionListener<ClaimResult> listener) {
    super(listener);
    this.entry = entry;
    this.late = late;
  }

  boolean isLate() {
    return late;
  }

  OpenClaims.Entry entry() {
    return entry;
  }

  ClaimRequest request() {
    return entry.request();
  }
}
