package dev.octroi.payments.ledger;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A payment that a {@link Transition} did move, with what the books need of it.
 *
 * @param payer whose account carries it
 * @param payTo who is paid
 * @param amount what was reserved, in atomic units
 * @param charged what is charged for it, at most that
 * @param sent whether its answer left, or could have, before the money's end was seen
 * @param key the API key whose budget it is taken from; null if none
 * @param scope the group of endpoints; empty if none
 * @param claimedAt when it was reserved last
 */
record AppliedTransition(
    UUID id,
    AccountKey payer,
    String payTo,
    long amount,
    long charged,
    boolean sent,
    @Nullable UUID key,
    String scope,
    Instant claimedAt) {}
