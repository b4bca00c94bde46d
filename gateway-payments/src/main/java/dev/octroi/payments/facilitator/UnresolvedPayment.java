package dev.octroi.payments.facilitator;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A payment that has begun to settle and whose end is not known yet.
 *
 * @param id the payment's id
 * @param attempt the attempt that began to settle
 * @param key what the payment is unique by
 * @param asset the token's address
 * @param payTo the recipient
 * @param amount atomic units
 * @param validBefore when the authorization expires
 * @param since when it became unresolved
 * @param transaction the hash that was last heard of; null if none was
 * @param sent whether its answer has left on a transaction that is on its way, rather than being in
 *     doubt
 */
public record UnresolvedPayment(
    UUID id,
    int attempt,
    PaymentKey key,
    String asset,
    String payTo,
    long amount,
    Instant validBefore,
    Instant since,
    @Nullable String transaction,
    boolean sent) {}
