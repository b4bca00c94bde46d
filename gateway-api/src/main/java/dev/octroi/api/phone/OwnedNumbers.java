package dev.octroi.api.phone;

import dev.octroi.services.phone.PhoneNumber;
import java.time.Instant;

/** Says whose numbers are whose (specification, payment rule 4). Thread-safe. */
public interface OwnedNumbers {

  /**
   * Whether a number is leased to an owner, the days of grace included.
   *
   * @param owner as {@link dev.octroi.payments.Payment#owner} names it
   * @throws dev.octroi.payments.ledger.LedgerUnavailable when the database does not answer in time
   */
  boolean isOwned(String owner, PhoneNumber number, Instant now);
}
