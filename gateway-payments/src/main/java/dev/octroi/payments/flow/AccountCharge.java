package dev.octroi.payments.flow;

import dev.octroi.payments.Usd;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Claim;

/** What an account is charged for without a call: the quote, always. */
record AccountCharge(VerifiedPayment verified, Claim claim) implements Chargeable {

  @Override
  public String id() {
    return claim.id().toString();
  }

  @Override
  public String network() {
    return verified.terms().network();
  }

  @Override
  public Usd quote() {
    return new Usd(claim.amount());
  }

  @Override
  public Usd charge() {
    return quote();
  }

  @Override
  public void chargeQuote() {}

  @Override
  public Settlement settled(Settlement outcome) {
    return outcome;
  }
}
