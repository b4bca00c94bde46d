package dev.octroi.payments.ledger;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Which payments to look for, among those claimed in a window of time: whatever is given must fit.
 *
 * @param payer address
 * @param nonce of the authorization
 * @param transaction hash
 * @param requestId of the answer
 * @param apiKey the key that paid
 * @param since the window's begin; there is no index on most of these, so that a search reads it
 *     all
 * @param until its end, not included
 */
public record PaymentSearch(
    Optional<String> payer,
    Optional<String> nonce,
    Optional<String> transaction,
    Optional<String> requestId,
    Optional<UUID> apiKey,
    Instant since,
    Instant until) {}
