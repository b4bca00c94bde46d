package dev.octroi.payments.books;

import dev.octroi.payments.facilitator.Settlement;
import java.util.Optional;

/** Compares payments that have ended with what their chain proves. */
final class ChainComparison {

  private final Findings findings;
  private long proven;

  ChainComparison(Findings findings) {
    this.findings = findings;
  }

  void compare(ClosedPayment payment, Optional<Settlement> outcome) {
    if (outcome.isEmpty()) {
      return;
    }
    if (outcome.get() instanceof Settlement.Settled) {
      proven++;
    } else {
      findings.add(
          new Difference(
              "not-on-chain",
              payment.id().toString(),
              "the ledger says it settled in " + payment.transaction(),
              "the chain says " + outcome.get()));
    }
  }

  /** The ledger says that it brought nothing, the chain names the transaction that paid it. */
  void paidAllTheSame(ClosedPayment payment, String transaction) {
    findings.add(
        new Difference(
            "transfer-not-booked",
            payment.id().toString(),
            "the ledger says that it was not charged",
            "the chain says that " + transaction + " paid " + payment.amount()));
  }

  long proven() {
    return proven;
  }
}
