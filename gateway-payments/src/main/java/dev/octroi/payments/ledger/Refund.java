package dev.octroi.payments.ledger;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Money that goes back to a payer.
 *
 * @param id the refund's id, 128 random bits
 * @param payment the settled payment
 * @param network where it is paid, as CAIP-2 id
 * @param payer who gets it
 * @param asset the token's address
 * @param seller who gives it: the recipient of the payment
 * @param amount atomic units
 * @param state how far it is
 * @param reason the operator's
 * @param transaction what paid it, or is about to; null while it is owed or not sent yet
 * @param note why it is not paid yet and what to do about that; null where there is nothing to say
 * @param asked when it was asked for
 */
public record Refund(
    UUID id,
    UUID payment,
    String network,
    String payer,
    String asset,
    String seller,
    long amount,
    State state,
    String reason,
    @Nullable String transaction,
    @Nullable String note,
    Instant asked) {

  /** How far a refund is. */
  public enum State {
    /** Not sent yet: there is no treasury, or it is not its turn. */
    OWED,
    /** The treasury has signed for it, so that only the chain can say how it ends. */
    SENDING,
    PAID
  }
}
