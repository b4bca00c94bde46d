package dev.octroi.payments.flow;

import dev.octroi.payments.Usd;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Claim;

/** What a claim is settled for: a call, or an account that is charged without one. */
interface Chargeable {

  /** The payment's id. */
  default String id() {
    return claim().id().toString();
  }

  VerifiedPayment verified();

  Claim claim();

  /** The network that the money moves on. */
  default String network() {
    return verified().terms().network();
  }

  /** What was reserved. */
  default Usd quote() {
    return new Usd(claim().amount());
  }

  /** What this payment was charged or will be. */
  Usd charge();

  /** Charges the quote, for what was signed cannot be changed. */
  void chargeQuote();

  /** Keeps how moving the money went. */
  Settlement settled(Settlement outcome);
}
