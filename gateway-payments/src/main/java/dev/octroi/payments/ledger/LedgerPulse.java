package dev.octroi.payments.ledger;

/**
 * How a node of the ledger is at a moment.
 *
 * @param alive whether it may claim and settle: its heartbeat reached the database in time
 * @param queued how many changes wait for the database, 16 384 at most
 * @param nodes how many nodes keep the ledger, this one included
 * @param needsRestart whether the file of H2 was closed by an error, and this process cannot open
 *     it again because its pool of connections keeps what is closed
 */
public record LedgerPulse(boolean alive, int queued, int nodes, boolean needsRestart) {}
