package dev.octroi.payments.facilitator;

import dev.octroi.payments.x402.Extensions;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Says whether a payment is good, and moves the money. Implementations are thread-safe.
 *
 * <p>The three verbs are the protocol's facilitator interface. {@code settle} is called once for a
 * payment that the ledger moved to SETTLING, and again for what a delivered stream owes: a node
 * that slept sends what another one has sent for it. What has moved is never {@link
 * Settlement.Refused}; an outcome that is not known for certain is {@link Settlement.Unknown},
 * never a failure.
 */
public interface Facilitator extends AutoCloseable {

  /** Checks a payment without moving anything. */
  Verification verify(PaymentPayload payload, PaymentRequirements terms);

  /** Moves the money of a verified payment. */
  Settlement settle(PaymentPayload payload, PaymentRequirements terms);

  /**
   * The same for a payment that the ledger knows. A facilitator of others passes the name on, so
   * that it may be asked again for an answer that this node did not hear.
   *
   * @param attempt names this attempt to settle this payment, the same on every node and after a
   *     restart, and not to be guessed by a stranger: letters and digits
   */
  default Settlement settle(PaymentPayload payload, PaymentRequirements terms, String attempt) {
    return settle(payload, terms);
  }

  /**
   * The networks on which this facilitator can verify and settle the exact scheme, as CAIP-2 ids.
   */
  List<String> networks();

  /**
   * What an offer on this network says besides, such as Solana's fee payer; empty as long as
   * nothing can be settled there, and then nothing is offered. Asked for every challenge, so it
   * neither waits nor computes; the same instance as long as nothing changed.
   */
  default Optional<Map<String, Object>> offerExtra(String network) {
    return Optional.of(Map.of());
  }

  /**
   * The same for offers of the scheme {@code upto}, whose settlement is bound to one of its keys
   * ({@code facilitatorAddress}); empty where it does not settle that scheme.
   */
  default Optional<Map<String, Object>> uptoExtra(String network) {
    return Optional.empty();
  }

  /** The same for offers to be paid out of channels; empty where it takes no such payments. */
  default Optional<Map<String, Object>> channelExtra(String network) {
    return Optional.empty();
  }

  /**
   * Whether payments of this network could be verified and settled now, as far as this node knows
   * without asking.
   */
  default boolean isUsable(String network) {
    return offerExtra(network).isPresent();
  }

  /**
   * What each wallet that pays for gas here had when this node last looked, in the chain's smallest
   * unit, by address; empty where there is none, and before the first look. Neither waits nor asks
   * the chain.
   */
  default Map<String, BigInteger> gasMoney() {
    return Map.of();
  }

  /**
   * What payers were given for gas in the last 24 hours, in the chain's smallest unit, by what
   * became of it: {@code open}, {@code done} or {@code lost}. Neither waits nor asks the chain.
   */
  default Map<String, BigInteger> gasGiven() {
    return Map.of();
  }

  /**
   * What challenges announce besides to the payers of these offers. Asked for every challenge, so
   * it neither waits nor computes.
   */
  default Extensions announced(List<PaymentRequirements> accepts) {
    return Extensions.NONE;
  }

  /**
   * True if the money lives in the ledger's own database, so that {@link
   * dev.octroi.payments.ledger.Ledger#settleHere} moves it in one commit with the payment's state
   * and {@link #settle} is never called.
   */
  default boolean settlesInLedger() {
    return false;
  }

  /**
   * What the chain of a network proves of payments whose end is not known yet; empty where it
   * cannot be asked, so that they wait for the operator.
   */
  default Optional<Evidence> evidence(String network) {
    return Optional.empty();
  }

  /** Who knows what accounts have on a network; empty where this node cannot know. */
  default Optional<Balances> balances(String network) {
    return Optional.empty();
  }

  /**
   * One round of what is to be done for transactions that are under way: confirms, sends again,
   * closes. Called from time to time by one node at a time, whichever lives; may throw.
   *
   * @param unresolved where payments are closed whose end was seen
   */
  default void follow(UnresolvedPayments unresolved) {}

  /** Who gives back what is left in channels on a network; empty where no chain holds any. */
  default Optional<ChannelRefunds> channelRefunds(String network) {
    return Optional.empty();
  }

  /** Ends what it does in the background. */
  @Override
  default void close() {}

  /** Gives payers back what is left in their channels. Thread-safe; waits for the chain. */
  @FunctionalInterface
  interface ChannelRefunds {

    /**
     * Sends what is left in a channel back to its payer, and waits for it as for a payment.
     *
     * @param channel the channel, out of which no call may be paid meanwhile; it was charged what
     *     its payer counts
     * @param most so much goes back at most, in millionths of a dollar; empty for all
     */
    ChannelPayback give(ChannelUse channel, OptionalLong most);
  }

  /**
   * What came of giving back.
   *
   * @param settlement how the transaction ended; unsent with one of the protocol's reasons
   * @param amount what goes back by it, in millionths of a dollar
   */
  record ChannelPayback(Settlement settlement, long amount) {}

  /** What accounts have on a network. Thread-safe; may wait for a chain within its own deadline. */
  @FunctionalInterface
  interface Balances {

    /**
     * The account's balance in atomic units, as of the latest block; empty if it cannot be asked.
     *
     * @param asset the token's address
     * @param account the account's address in the network's form
     */
    OptionalLong of(String asset, String account);
  }
}
