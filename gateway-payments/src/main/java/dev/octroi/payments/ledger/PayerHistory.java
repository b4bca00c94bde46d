package dev.octroi.payments.ledger;

/**
 * What the ledger knows of a payer that asks for credit.
 *
 * @param hasPaid whether a payment of it for something sold here has settled; what was settled for
 *     other servers does not count
 * @param hasFailed whether an answer left on credit and its payment failed, and was not paid since
 */
public record PayerHistory(boolean hasPaid, boolean hasFailed) {}
