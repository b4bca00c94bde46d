package dev.octroi.payments.ledger;

import java.util.Map;

/**
 * An answer as it will leave, kept so that a payer who was charged can have it.
 *
 * @param status HTTP status
 * @param headers the entity's headers that must be repeated, media type included
 * @param body the bytes of the body
 */
public record StoredAnswer(int status, Map<String, String> headers, byte[] body) {}
