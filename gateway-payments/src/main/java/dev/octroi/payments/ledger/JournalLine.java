package dev.octroi.payments.ledger;

import java.time.Instant;

/**
 * A movement of money, for people to look at.
 *
 * @param at when it was written
 * @param debit owner of the account that it left
 * @param credit owner of the account at which it arrived
 * @param amount atomic units
 */
public record JournalLine(Instant at, String debit, String credit, long amount) {}
