package dev.octroi.payments.ledger;

/**
 * What the ledger knows of a payer that asks for credit.
 *
 * @param hasPaid whether a payment of it has settled here
 * @param hasFailed whether an answer left on credit and its payment failed, and was not paid since
 */
public record PayerHistory(boolean hasPaid, boolean hasFailed) {}
