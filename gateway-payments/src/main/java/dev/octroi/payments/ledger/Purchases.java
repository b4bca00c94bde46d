package dev.octroi.payments.ledger;

import dev.octroi.payments.facilitator.PaymentKey;
import java.util.Optional;
import java.util.UUID;

/**
 * Finds payments for the callers who made them; those that never began to settle are not found.
 * Thread-safe; throws {@link LedgerUnavailable} when the database does not answer in time.
 */
public interface Purchases {

  Optional<Purchase> find(UUID id);

  Optional<Purchase> find(PaymentKey key);

  /**
   * The payment that was made by this very envelope; also one that a request holds and that has not
   * begun to settle.
   *
   * @param envelopeHash SHA-256 in hex
   */
  Optional<Purchase> find(PaymentKey key, String envelopeHash);
}
