package dev.octroi.api.phone;

import dev.octroi.services.phone.Country;
import dev.octroi.services.phone.LeasedNumber;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * What never changes about a lease.
 *
 * @param id of the effect that bought it
 * @param leased the number, and the vendor's id of it
 * @param owner as {@link dev.octroi.payments.Payment#owner} names it
 * @param network that it was bought on, as CAIP-2 id
 */
record Deed(
    UUID id, LeasedNumber leased, Country country, String owner, String network, Instant boughtAt) {

  private static final String ACCOUNT = "account:";

  /** The account whose wallet can be charged without its owner; empty for who signs for itself. */
  Optional<UUID> account() {
    return owner.startsWith(ACCOUNT)
        ? Optional.of(UUID.fromString(owner.substring(ACCOUNT.length())))
        : Optional.empty();
  }
}
