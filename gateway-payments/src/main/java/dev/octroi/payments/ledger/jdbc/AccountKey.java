package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.ClaimRequest;

/**
 * What a payer's or seller's account is found by.
 *
 * @param network CAIP-2 id
 * @param owner address, in the form of {@link PaymentKey#payer}
 * @param asset the token's address
 */
record AccountKey(String network, String owner, String asset) {

  /**
   * By hand, as the next: each payment asks some ten times, and what a record generates is slow.
   */
  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof AccountKey key
            && owner.equals(key.owner)
            && network.equals(key.network)
            && asset.equals(key.asset));
  }

  @Override
  public int hashCode() {
    return 31 * owner.hashCode() + asset.hashCode();
  }

  static AccountKey payer(ClaimRequest request) {
    return new AccountKey(request.key().network(), request.key().payer(), request.asset());
  }
}
