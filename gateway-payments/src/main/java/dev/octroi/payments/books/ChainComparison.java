package dev.octroi.payments.books;

import dev.octroi.payments.facilitator.Settlement;
import java.util.Optional;

/** Compares settled payments with what their chain proves. */
final class ChainComparison {

  private final Findings findings;
  private long proven;

  ChainComparison(Findings findings) {
    this.findings = findings;
  }

  void compare(SettledPayment payment, Optional<Settlement> outcome) {
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

  long proven() {
    return proven;
  }
}
