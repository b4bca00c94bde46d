package dev.octroi.payments.books;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A settled payment as the ledger has it.
 *
 * @param amount atomic units
 * @param transaction what the facilitator called it
 * @param settled when the ledger heard of it
 */
record SettledPayment(
    UUID id,
    int attempt,
    String network,
    String payer,
    String nonce,
    String asset,
    String payTo,
    long amount,
    Instant validBefore,
    Instant settled,
    @Nullable String transaction) {}
