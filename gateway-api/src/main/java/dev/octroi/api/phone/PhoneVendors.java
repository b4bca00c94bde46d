package dev.octroi.api.phone;

import dev.octroi.services.phone.Lookups;
import dev.octroi.services.phone.PhoneNumbers;
import dev.octroi.services.phone.TextMessages;
import java.time.Duration;
import java.util.Optional;

/**
 * Whom the group buys of; what has no vendor is not sold.
 *
 * @param deadline of a call of theirs
 */
public record PhoneVendors(
    Optional<Lookups> lookups,
    Optional<PhoneNumbers> numbers,
    Optional<TextMessages> messages,
    Duration deadline) {}
