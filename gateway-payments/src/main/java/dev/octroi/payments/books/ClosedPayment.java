package dev.octroi.payments.books;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A payment that has ended, as the ledger has it: settled, failed or released.
 *
 * @param amount atomic units
 * @param transaction what the facilitator called it
 * @param closed when the ledger heard of its end
 */
record ClosedPayment(
    UUID id,
    int attempt,
    String network,
    String payer,
    String nonce,
    String asset,
    String payTo,
    long amount,
    Instant validBefore,
    Instant closed,
    @Nullable String transaction) {}
