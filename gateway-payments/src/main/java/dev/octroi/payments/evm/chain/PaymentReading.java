package dev.octroi.payments.evm.chain;

import java.math.BigInteger;

/**
 * What the chain says of one payment at its latest block.
 *
 * @param payerHasCode whether the payer is a contract, or a key that has delegated to one
 * @param assetHasCode whether there is a token at all
 * @param balance what the payer has, in atomic units
 * @param used whether the authorization was used or cancelled
 * @param accepted whether the payer, as a contract, takes the signature for its own
 * @param transfers whether the transfer succeeds in a simulation
 */
record PaymentReading(
    boolean payerHasCode,
    boolean assetHasCode,
    BigInteger balance,
    boolean used,
    boolean accepted,
    boolean transfers) {}
