package dev.octroi.payments.facilitator;

/**
 * What a payment is unique by.
 *
 * @param network CAIP-2 id
 * @param payer the payer's address; hex addresses in lower case
 * @param nonce the authorization's nonce; hex in lower case
 */
public record PaymentKey(String network, String payer, String nonce) {}
