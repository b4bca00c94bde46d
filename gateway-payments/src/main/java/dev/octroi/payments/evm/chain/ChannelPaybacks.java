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
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives payers back what is left in their channels: how much that is, the contract and the charges
 * say. What was charged stays in the channel, whether or not it was claimed. Thread-safe.
 *
 * @param sender sends it
 */
public record ChannelPaybacks(ChannelReader reader, Sender sender) implements ChannelRefunds {

  private static final Logger LOG = LoggerFactory.getLogger(ChannelPaybacks.class);
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
      long left = now.balance() - Math.max(channel.before(), now.claimed());
      long amount = Math.min(left, most.orElse(left));
      Settlement outcome =
          amount > 0
              ? send(channel, amount)
              : new Settlement.Unsent(
                  most.orElse(1) == 0 ? ChannelUse.NO_AMOUNT : ChannelUse.NOTHING_LEFT);
      return new ChannelPayback(outcome, amount);
    } catch (ChainUnavailable e) {
      LOG.warn("Channel {} is not refunded: {}", channel.id(), e.getMessage());
      return new ChannelPayback(new Settlement.Unsent(UNREAD), 0);
    }
  }

  private Settlement send(ChannelUse channel, long amount) {
    byte[] id = Hex.parse(channel.id());
    Settlement outcome =
        sender.send(
            channel, new ChannelRefund(id, reader.refundNonce(id), BigInteger.valueOf(amount)));
    if (!(outcome instanceof Settlement.Settled settled)) {
      return outcome;
    }
    try {
      var unused = reader.of(channel.id());
      return outcome;
    } catch (ChainUnavailable e) {
      // Calls may be paid out of it again only once it is known what it holds now.
      return new Settlement.Unknown("chain_unavailable", settled.transaction());
    }
  }
}
