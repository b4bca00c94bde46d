package dev.octroi.services.phone;

/**
 * A number that the vendor has leased to us.
 *
 * @param reference the vendor's id of it, at most 64 characters
 */
public record LeasedNumber(String reference, PhoneNumber number) {}
