package dev.octroi.payments.ledger;

import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Channels that calls are paid out of, as the ledger knows them. Thread-safe; every method may
 * throw {@link LedgerUnavailable}.
 */
public interface Channels {

  /**
   * A channel's state; empty for one that no payment has come out of.
   *
   * @param network CAIP-2 id
   * @param id the channel's id
   */
  Optional<ChannelState> find(String network, String id);

  /**
   * Gives back what is left in a channel, where its money is in this database.
   *
   * @param charged what was charged, as the payer counts
   * @param amount the most that is to go back, in millionths of a dollar; empty for all
   */
  ChannelRefundResult refund(String network, String id, long charged, OptionalLong amount);

  /**
   * A channel at a moment, in millionths of a dollar.
   *
   * @param id the channel's id
   * @param payer the address whose money it holds
   * @param charged what all calls so far were charged
   * @param signed what the highest voucher permits that was charged by
   * @param signature the payer's signature of that; null before the first charge
   * @param left what is left in it; empty where a chain holds it
   * @param refunds how often money went back
   */
  record ChannelState(
      String id,
      String payer,
      long charged,
      long signed,
      byte @Nullable [] signature,
      OptionalLong left,
      int refunds) {}

  /** What came of asking for money back. */
  sealed interface ChannelRefundResult {

    /**
     * It went back.
     *
     * @param transaction what the ledger calls it
     * @param amount millionths of a dollar
     * @param state the channel after it
     */
    record Refunded(String transaction, long amount, ChannelState state)
        implements ChannelRefundResult {}

    /** Nothing went back, for one of the protocol's reasons. */
    record Refused(String reason) implements ChannelRefundResult {}
  }
}
