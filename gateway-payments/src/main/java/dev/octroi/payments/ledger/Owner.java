package dev.octroi.payments.ledger;

/**
 * Who holds a claim, or work: one life of a node (money rule 2).
 *
 * @param node the node's name
 * @param epoch which of its lives
 */
public record Owner(String node, long epoch) {}
