package dev.octroi.payments.evm.chain;

import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.chain.ChannelReader.ChannelReading;
import dev.octroi.payments.evm.channel.BatchSettlement;
import dev.octroi.payments.evm.channel.ChannelRefund;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.Facilitator.ChannelPayback;
import dev.octroi.payments.facilitator.Facilitator.ChannelRefunds;
import dev.octroi.payments.facilitator.Settlement;
import java.math.BigInteger;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives payers back what is left in their channels: how much that is, the contract and the charges
 * say. What was charged stays in the channel, whether or not it was claimed. Thread-safe.
 *
 * @param least atomic units of which less is not given back, unless nothing more is left
 * @param sender sends it
 */
public record ChannelPaybacks(ChannelReader reader, long least, Sender sender)
    implements ChannelRefunds {

  private static final Logger LOG = LoggerFactory.getLogger(ChannelPaybacks.class);

  /** So far one node of the chain may be behind the one that has told of the refund. */
  private static final Duration LAG = Duration.ofSeconds(15);

  private static final Duration PAUSE = Duration.ofMillis(500);

  private static final String UNREAD = BatchSettlement.PREFIX + "rpc_read_failed";

  /** Has the transaction of a refund sent. Thread-safe; waits for the chain. */
  @FunctionalInterface
  public interface Sender {

    /**
     * Sends it.
     *
     * @return {@link Settlement.Settled} once the money has gone back; {@link Settlement.Unsent} or
     *     {@link Settlement.Refused} if it never will
     * @throws ChainUnavailable before anything was sent
     */
    Settlement send(ChannelUse channel, ChannelRefund refund);
  }

  @Override
  public ChannelPayback give(ChannelUse channel, OptionalLong most) {
    try {
      ChannelReading now = reader.of(channel.id());
      // A withdrawal that has begun pays out as well, and both out of what is not claimed yet.
      long left = now.spendable() - Math.max(channel.before(), now.claimed());
      long amount = Math.min(left, most.orElse(left));
      // Otherwise a payer spends the sender's gas for as long as it asks for a unit at a time.
      boolean enough = amount == left || amount >= least;
      Settlement outcome =
          amount > 0 && enough
              ? send(channel, amount)
              : new Settlement.Unsent(left > 0 ? ChannelUse.NO_AMOUNT : ChannelUse.NOTHING_LEFT);
      return new ChannelPayback(outcome, amount);
    } catch (ChainUnavailable e) {
      LOG.warn("Channel {} is not refunded: {}", channel.id(), e.getMessage());
      return new ChannelPayback(new Settlement.Unsent(UNREAD), 0);
    }
  }

  private Settlement send(ChannelUse channel, long amount) {
    byte[] id = Hex.parse(channel.id());
    BigInteger nonce = reader.refundNonce(id);
    Settlement outcome =
        sender.send(channel, new ChannelRefund(id, nonce, BigInteger.valueOf(amount)));
    return outcome instanceof Settlement.Settled settled && !isRead(channel.id(), nonce)
        ? new Settlement.Unknown("chain_unavailable", settled.transaction())
        : outcome;
  }

  /** Calls may be paid out of it again only once it is known what it holds now. */
  private boolean isRead(String channel, BigInteger nonce) {
    long end = System.nanoTime() + LAG.toNanos();
    try {
      while (!reader.seesRefund(channel, nonce)) {
        if (System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted()) {
          return false;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
      return true;
    } catch (ChainUnavailable e) {
      return false;
    }
  }
}
