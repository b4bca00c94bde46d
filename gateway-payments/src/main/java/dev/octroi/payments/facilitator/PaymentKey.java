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

  /** The one spelling of an address or nonce, by the form that it has. */
  public static String spelling(String address) {
    return ChainFamily.ofKey(address).spelling(address);
  }
}
