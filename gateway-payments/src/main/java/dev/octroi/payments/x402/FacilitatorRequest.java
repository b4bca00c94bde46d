package dev.octroi.payments.x402;

/**
 * What a facilitator is asked about.
 *
 * @param x402Version the version in which it was asked
 * @param payload the payment
 * @param terms what it is to be verified and settled by
 */
public record FacilitatorRequest(
    int x402Version, PaymentPayload payload, PaymentRequirements terms) {}
