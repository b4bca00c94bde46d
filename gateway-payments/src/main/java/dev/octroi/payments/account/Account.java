package dev.octroi.payments.account;

import java.time.Instant;
import java.util.UUID;

/**
 * A buyer who pays by API key: the owner of keys, of the managed wallets behind them, and of what
 * was bought with them.
 *
 * @param id 128 random bits
 * @param name for people, 1 to 100 characters
 * @param created when it was opened
 */
public record Account(UUID id, String name, Instant created) {}
