package dev.octroi.payments.flow;

import dev.octroi.payments.Usd;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Claim;

/** What a claim is settled for: a call, or an account that is charged without one. */
interface Chargeable {

  /** The payment's id. */
  String id();

  VerifiedPayment verified();

  Claim claim();

  /** The network that the money moves on. */
  String network();

  /** What was reserved. */
  Usd quote();

  /** What this payment was charged or will be. */
  Usd charge();

  /** Charges the quote, for what was signed cannot be changed. */
  void chargeQuote();

  /** Keeps how moving the money went. */
  Settlement settled(Settlement outcome);
}
