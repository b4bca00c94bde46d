package dev.octroi.payments.facilitator;

import java.util.Locale;

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

  /** Hex has two spellings, of which this is the lower case; base58 has one. */
  public static String spelling(String address) {
    return address.regionMatches(true, 0, "0x", 0, 2) ? address.toLowerCase(Locale.ROOT) : address;
  }
}
