package dev.octroi.payments.ledger;

import dev.octroi.payments.Sha256;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.UnresolvedPayment;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;

/**
 * A refund that a treasury has signed for.
 *
 * @param attempt how many authorizations were signed for it, this one included
 * @param treasury the account that signed
 * @param validBefore when the authorization ends
 * @param due when to look at it
 */
public record Payout(
    Refund refund, int attempt, String treasury, Instant validBefore, Instant due) {

  /**
   * The nonce of every authorization for a refund, 32 bytes: it follows from the refund alone, so
   * that the token moves the money once.
   */
  public static byte[] nonce(UUID refund) {
    return Sha256.of(("octroi-refund:" + refund).getBytes(StandardCharsets.US_ASCII));
  }

  /** What its chain is to be asked: whether the treasury has paid the payer by this nonce. */
  public UnresolvedPayment question() {
    return new UnresolvedPayment(
        refund.id(),
        attempt,
        new PaymentKey(
            refund.network(), treasury, KeyBytes.text(refund.network(), nonce(refund.id()))),
        refund.asset(),
        refund.payer(),
        refund.amount(),
        validBefore,
        refund.asked(),
        refund.transaction(),
        true);
  }
}
