package dev.octroi.payments.ledger;

import java.util.UUID;

/**
 * A payment that a {@link Step} did move, with what the books need of it.
 *
 * @param payer whose account carries it
 * @param payTo who is paid
 * @param amount atomic units
 * @param sent whether its answer left, or could have, before the money's end was seen
 */
record Moved(UUID id, AccountKey payer, String payTo, long amount, boolean sent) {}
