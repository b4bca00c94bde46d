package dev.octroi.payments.facilitator;

import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.util.List;

/**
 * Says whether a payment is good, and moves the money. Implementations are thread-safe.
 *
 * <p>The three verbs are the protocol's facilitator interface. {@code settle} is called at most
 * once for a payment that the ledger moved to SETTLING; an outcome that is not known for certain is
 * {@link Settlement.Unknown}, never a failure.
 */
public interface Facilitator {

  /** Checks a payment without moving anything. */
  Verification verify(PaymentPayload payload, PaymentRequirements terms);

  /** Moves the money of a verified payment. */
  Settlement settle(PaymentPayload payload, PaymentRequirements terms);

  /**
   * The networks on which this facilitator can verify and settle the exact scheme, as CAIP-2 ids.
   */
  List<String> networks();

  /**
   * True if the money lives in the ledger's own database, so that {@link
   * dev.octroi.payments.ledger.Ledger#settleHere} moves it in one commit with the payment's state
   * and {@link #settle} is never called.
   */
  default boolean settlesInLedger() {
    return false;
  }
}
