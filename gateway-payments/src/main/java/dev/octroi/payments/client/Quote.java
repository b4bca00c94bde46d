package dev.octroi.payments.client;

import dev.octroi.payments.Usd;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;

/**
 * What a server asks for a call.
 *
 * @param price the price in dollars
 * @param terms the entry of {@code accepts} that this payer would pay by
 * @param challenge the whole challenge, as it was last read
 */
public record Quote(Usd price, PaymentRequirements terms, PaymentRequired challenge) {}
