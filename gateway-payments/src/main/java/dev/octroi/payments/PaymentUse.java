package dev.octroi.payments;

import java.util.UUID;

/**
 * A payment and the request that it is claimed for: who works for a payment keeps this, and asks
 * later what {@linkplain dev.octroi.payments.ledger.PaymentStatuses became of it}.
 *
 * @param payment the payment's id
 * @param request SHA-256 in hex of the request that the payment is bound to; 64 characters
 */
public record PaymentUse(UUID payment, String request) {}
