package dev.octroi.payments.ledger;

import dev.octroi.payments.facilitator.PaymentKey;
import java.util.UUID;

/**
 * What a payment identifier was used for first, and what became of that payment.
 *
 * @param payment the payment's id
 * @param key what the payment is unique by
 * @param envelopeHash SHA-256 of the payment envelope in hex
 * @param bindingHash {@link RequestBinding#hash} of the request that it paid for
 * @param state where the payment stands
 * @param sent whether its answer may leave while it still settles
 * @param charged atomic units that were charged or will be
 * @param transaction the transaction, empty where there is none yet
 * @param delivered whether the answer has left
 */
public record IdentifierUse(
    UUID payment,
    PaymentKey key,
    String envelopeHash,
    String bindingHash,
    PaymentState state,
    boolean sent,
    long charged,
    String transaction,
    boolean delivered) {

  /** Whether its answer was paid for. */
  public boolean isPaid() {
    return state == PaymentState.SETTLED || (state == PaymentState.SETTLING && sent);
  }
}
