package dev.octroi.payments.ledger;

import dev.octroi.payments.facilitator.PaymentKey;

/**
 * What a payer's or seller's account is found by.
 *
 * @param network CAIP-2 id
 * @param owner address, in the form of {@link PaymentKey#payer}
 * @param asset the token's address
 */
record AccountKey(String network, String owner, String asset) {

  static AccountKey payer(ClaimRequest request) {
    return new AccountKey(request.key().network(), request.key().payer(), request.asset());
  }
}
