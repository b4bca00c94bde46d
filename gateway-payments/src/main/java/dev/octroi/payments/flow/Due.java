package dev.octroi.payments.flow;

import dev.octroi.payments.Deferral;
import dev.octroi.payments.PriceQuote;
import dev.octroi.payments.Usd;
import dev.octroi.payments.ledger.PaymentStatus;
import java.util.Optional;

/**
 * What a call has to pay.
 *
 * @param quote what it costs now, or what was agreed when its work was ordered
 * @param work what was ordered before; empty for a call that pays for itself
 * @param active where the payment stands that the work has been taken by; empty if there is none
 */
record Due(PriceQuote quote, Optional<Deferral> work, Optional<PaymentStatus> active) {

  static Due now(PriceQuote quote) {
    return new Due(quote, Optional.empty(), Optional.empty());
  }

  Usd price() {
    return quote.price();
  }

  /** Whether the call costs nothing, for every caller. */
  boolean isFree() {
    return work.isEmpty() && price().isZero();
  }

  /** Whether this call pays: work does once, when it is done. */
  boolean isPayable() {
    boolean alive = active.filter(status -> status != PaymentStatus.DEAD).isPresent();
    return work.isEmpty() || (work.get().due() && !price().isZero() && !alive);
  }
}
