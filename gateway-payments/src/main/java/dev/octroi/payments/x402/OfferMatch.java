package dev.octroi.payments.x402;

/** Whether a payment fits something that this server offers now. */
public sealed interface OfferMatch {

  /** It does: these are this server's own terms, to verify and settle by. */
  record Matched(PaymentRequirements terms) implements OfferMatch {}

  /** It does not, for one of the protocol's reason strings. */
  record Unmatched(String reason) implements OfferMatch {}

  /**
   * No facilitator settles on its network at the moment. It may have settled before, so that it is
   * no reason to ask for another payment.
   */
  record Suspended() implements OfferMatch {}
}
