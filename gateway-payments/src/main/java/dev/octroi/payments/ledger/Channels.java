package dev.octroi.payments.ledger;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
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
   * Holds a channel on a chain for a refund: no call is paid out of it until {@link #refunded}.
   *
   * @param charged what was charged, as the payer counts
   * @return {@link ChannelRefundResult.Begun}, or why the channel cannot be held
   */
  ChannelRefundResult hold(String network, String id, long charged);

  /**
   * Frees a channel that was held for a refund, which has ended.
   *
   * @param amount what went back, in millionths of a dollar; 0 where nothing did, or another node
   *     sent it
   * @return false if it was freed before
   */
  boolean refunded(String network, String id, UUID hold, long amount);

  /** Refunds that began before a moment and have not ended, by the channel's id. */
  Map<String, UUID> refunding(String network, Instant before);

  /**
   * Channels on a chain that were charged more than was claimed, and of which the contract was not
   * asked since a moment: their payers may have begun to withdraw.
   *
   * @param network CAIP-2 id
   */
  List<UnclaimedChannel> unread(String network, Instant since, int most);

  /**
   * Channels on a chain that are to be claimed: first those whose payers have begun to withdraw,
   * then those that were charged so much more than was claimed, the longest due first.
   *
   * @param since when the first of those charges was made at the latest
   * @param least the least to claim by age, in millionths of a dollar
   */
  List<UnclaimedChannel> unclaimed(String network, Instant since, long least, int most);

  /**
   * Notes what the contract says was claimed out of a channel in all, in millionths of a dollar; no
   * more than was charged, and nothing if that was noted before.
   */
  void claimed(String network, String id, long total);

  /**
   * Nothing can be claimed of a channel now: its charges count as made at this moment, and for a
   * minute others are claimed before it even if its payer withdraws.
   */
  void postpone(String network, String id);

  /**
   * A channel that was charged more than was claimed, in millionths of a dollar.
   *
   * @param id the channel's id
   * @param terms as its payments have told them
   * @param charged what all calls so far were charged
   * @param claimed what of it was claimed
   * @param signed what its highest voucher permits
   * @param signature of that voucher
   */
  record UnclaimedChannel(
      String id, String terms, long charged, long claimed, long signed, byte[] signature) {}

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
   * @param claimed what was claimed, where a chain holds the money
   * @param held what the contract held when it was last asked; empty where it was not
   */
  record ChannelState(
      String id,
      String payer,
      long charged,
      long signed,
      byte @Nullable [] signature,
      OptionalLong left,
      int refunds,
      long claimed,
      OptionalLong held) {}

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

    /**
     * The channel is held, and a chain is to send what goes back.
     *
     * @param hold by what it is freed
     */
    record Begun(UUID hold) implements ChannelRefundResult {}

    /** Nothing went back, for one of the protocol's reasons. */
    record Refused(String reason) implements ChannelRefundResult {}
  }
}
