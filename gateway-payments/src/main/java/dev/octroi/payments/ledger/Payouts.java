package dev.octroi.payments.ledger;

import dev.octroi.payments.Sha256;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Refunds on their way out of a treasury (money rule 6). Each is noted as SENDING before anything
 * is sent, and ends by what its chain proves.
 *
 * <p>Thread-safe; each method returns when its change is durable and throws {@link
 * LedgerUnavailable} when the database does not answer in time.
 */
public interface Payouts {

  /**
   * Those of some tokens that no treasury is paying and that are due by now, the longest due first.
   *
   * @param assets the tokens' addresses, at least one
   */
  List<Refund> owed(String network, List<String> assets, Instant now, int most);

  /** Those of a network that a treasury has signed for, the oldest first, due or not. */
  List<Payout> underWay(String network, int most);

  /**
   * OWED → SENDING, before anything is stored for sending; empty if it is not owed any more, such
   * as when another node was first.
   *
   * @param key the account that signs, and the nonce that it signs by
   * @param validBefore when its authorization ends
   * @param due until then it is left to the node that began it
   */
  Optional<Payout> begin(UUID refund, PaymentKey key, Instant validBefore, Instant due);

  /** OWED as before, with a reason; due again at this moment. */
  void postpone(UUID refund, String note, Instant due);

  /**
   * SENDING as before; due again at this moment.
   *
   * @param transaction what was last heard of it; null: nothing new
   * @param note why it is not on its way; null: it is
   */
  void look(Payout payout, @Nullable String transaction, @Nullable String note, Instant due);

  /**
   * PAID, with proof, booked in the same commit; false if it was paid before. Proof holds whatever
   * else was believed: all authorizations of a refund have the same nonce.
   */
  boolean settled(Payout payout, String transaction);

  /**
   * SENDING → OWED, with proof that this authorization moves nothing any more; false if it was
   * closed or signed for anew before.
   */
  boolean failed(Payout payout, String note, Instant due);

  /**
   * A refund that a treasury has signed for.
   *
   * @param attempt how many authorizations were signed for it, this one included
   * @param key the account that signed, and the nonce: its form tells how the token moves
   * @param validBefore when the authorization ends
   * @param due when to look at it
   */
  record Payout(Refund refund, int attempt, PaymentKey key, Instant validBefore, Instant due) {

    /**
     * The nonce of every authorization for a refund, 32 bytes: it follows from the refund alone, so
     * that the money moves once.
     */
    public static byte[] nonce(UUID refund) {
      return Sha256.of(("octroi-refund:" + refund).getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * The account that signed for a refund, and the nonce.
     *
     * @param nonce as it is kept; null where a former version signed, always by the token's own
     */
    public static PaymentKey key(
        UUID refund, String network, String treasury, byte @Nullable [] nonce) {
      return new PaymentKey(
          network, treasury, KeyBytes.text(network, nonce == null ? nonce(refund) : nonce));
    }

    /** What its chain is to be asked: whether the treasury has paid the payer by this nonce. */
    public UnresolvedPayment question() {
      return new UnresolvedPayment(
          refund.id(),
          attempt,
          key,
          refund.asset(),
          refund.payer(),
          refund.amount(),
          validBefore,
          refund.asked(),
          refund.transaction(),
          true);
    }
  }
}
