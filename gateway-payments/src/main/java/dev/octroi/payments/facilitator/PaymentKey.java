package dev.octroi.payments.facilitator;

import dev.octroi.payments.chain.ChainFamily;

/**
 * What a payment is unique by, in one spelling whatever the caller wrote.
 *
 * @param network CAIP-2 id
 * @param payer the payer's address; hex in lower case
 * @param nonce the authorization's nonce; hex in lower case
 */
public record PaymentKey(String network, String payer, String nonce) {

  public PaymentKey {
    payer = spelling(payer);
    nonce = spelling(nonce);
  }

  /** By hand, as the next: each call asks some ten times, and what a record generates is slow. */
  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof PaymentKey key
            && nonce.equals(key.nonce)
            && payer.equals(key.payer)
            && network.equals(key.network));
  }

  @Override
  public int hashCode() {
    return 31 * payer.hashCode() + nonce.hashCode();
  }

  /** The one spelling of an address or nonce, by the form that it has. */
  public static String spelling(String address) {
    return ChainFamily.ofKey(address).spelling(address);
  }
}
