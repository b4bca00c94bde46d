package dev.octroi.payments.evm.channel;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.channel.ChannelCalls.ClaimRow;
import dev.octroi.payments.facilitator.Settlement;
import java.time.Duration;
import java.util.List;

/**
 * Has claims and payouts of channels sent, by this node's own keys or by another server.
 * Implementations are thread-safe.
 */
public interface ChannelSettlements {

  /** The protocol's reason for a claim that would fail now. */
  String CLAIM_FAILS = BatchSettlement.PREFIX + "claim_simulation_failed";

  /** Whether claims of channels that name this key can be authorized here. */
  boolean isAuthorizer(EvmAddress receiverAuthorizer);

  /** Whether a claim or payout of any node is under way. */
  boolean isPayingOut();

  /** Whether a refund of any node is known to be under way, or to have ended just now. */
  default boolean isRefunding() {
    return false;
  }

  /**
   * Claims what the payers of channels have signed for, in one transaction, and does not wait for
   * its end, which the contract tells. While another one {@link #isPayingOut}, none may follow.
   *
   * @param rows channels of one authorizer, which {@link #isAuthorizer}
   * @return {@link Settlement.Unsent} where it would not succeed now, or cannot be sent
   */
  Settlement claim(List<ClaimRow> rows);

  /** So many channels are claimed at once. */
  default int most() {
    return ChannelOrder.MOST;
  }

  /** Whether {@link #claim} would succeed now. */
  boolean succeeds(List<ClaimRow> rows);

  /** Has a receiver paid what was claimed for it; as {@link #claim}. */
  Settlement payOut(EvmAddress receiver, EvmAddress token);

  /**
   * How long after a refund was asked for, whose end no call saw, its channel is free again: none
   * is sent any more unless it {@link #isRefunding}. Longer than a call waits for it.
   */
  default Duration refundsEnd() {
    return Duration.ofMinutes(2);
  }
}
