package dev.octroi.payments.ledger;

/**
 * The request that a payment was made for; a payment is taken for no other.
 *
 * @param method HTTP method
 * @param path canonical path, aliases resolved
 * @param query raw query string, empty where there is none
 * @param bodyHash SHA-256 of the body in hex
 */
public record RequestBinding(String method, String path, String query, String bodyHash) {}
