package dev.octroi.payments.facilitator;

import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a chain proves of a payment whose outcome was not known (money rules 5 and 11). Thread-safe;
 * may wait for the chain within its own deadline.
 */
@FunctionalInterface
public interface Evidence {

  /**
   * What is certain by now: {@link Settlement.Settled} with the receipt's proof, {@link
   * Settlement.Refused} after a cancellation or once a finalised block is past the authorization's
   * end with it unused; empty as long as neither is proven, and when the chain cannot be asked.
   */
  Optional<Settlement> of(UnresolvedPayment payment);

  /**
   * The same of a payment whose payer signs by its nonce for nothing else, as a treasury does: so a
   * transfer between the two counts, also one that a contract had made.
   */
  default Optional<Settlement> ofTreasury(UnresolvedPayment payment) {
    return of(payment);
  }

  /**
   * The transaction that moved this payment's money, if the chain proves one now. A question about
   * a payment that counts as closed: it changes nothing, and says nothing of what has not happened.
   */
  default Optional<String> transfer(UnresolvedPayment payment) {
    return of(payment)
        .filter(Settlement.Settled.class::isInstance)
        .map(settled -> ((Settlement.Settled) settled).transaction());
  }

  /**
   * Whether an account that is a contract takes a signature for its own (ERC-1271). Throws {@link
   * RuntimeException} where the chain cannot be asked.
   *
   * @param digest what was signed, 32 bytes
   */
  default boolean isSignedByContract(String account, byte[] digest, byte[] signature) {
    return false;
  }

  /**
   * What the contract of channels holds for each of these, as of a confirmed block; empty where
   * there is no such contract, and when the chain cannot be asked.
   *
   * @param ids of channels, in hex, at most 100
   */
  default Map<String, ChannelFunds> channels(List<String> ids) {
    return Map.of();
  }

  /**
   * A channel in its contract, in atomic units of its token.
   *
   * @param balance what was put into it and not taken back; claims do not reduce it
   * @param claimed what of it is the receiver's for good
   */
  record ChannelFunds(long balance, long claimed) {}
}
