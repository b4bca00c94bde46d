package dev.octroi.payments.ledger;

import dev.octroi.payments.PaymentUse;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Says what became of payments, to those who work for them (money rule 9). Thread-safe; throws
 * {@link LedgerUnavailable} when the database does not answer in time.
 */
public interface PaymentStatuses {

  PaymentStatus of(PaymentUse use);

  /**
   * The same inside a transaction of {@code Statements}. Who changes a work's payment locks the
   * work's row first, asks here, and changes it in that transaction: a payment that was given back
   * and is claimed again meanwhile then finds itself replaced, and two can never both settle.
   */
  PaymentStatus of(Handle handle, PaymentUse use);

  /** The transaction of a payment that has settled for this; empty as long as it has not. */
  Optional<String> transaction(PaymentUse use);

  /** Where a payment stands with what it was used for. */
  enum PaymentStatus {
    /** Claimed, settling or in doubt: it may still pay. */
    OPEN,
    /** It has paid, or its transaction is on its way. */
    SETTLED,
    /** It has failed, was given back, was used for another request, or is forgotten. */
    DEAD
  }
}
