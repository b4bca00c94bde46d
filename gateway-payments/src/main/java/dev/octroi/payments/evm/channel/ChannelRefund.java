package dev.octroi.payments.evm.channel;

import dev.octroi.payments.evm.AbiWords;
import java.math.BigInteger;

/**
 * The receiver's consent that a payer gets back what is left in a channel.
 *
 * @param channelId 32 bytes
 * @param nonce how often the channel was refunded before
 * @param amount atomic units of the token, the most that goes back
 */
public record ChannelRefund(byte[] channelId, BigInteger nonce, BigInteger amount) {

  private static final byte[] TYPE_HASH =
      BatchSettlement.typeHash("Refund(bytes32 channelId,uint256 nonce,uint128 amount)");

  /** What the receiver's authorizer signs on a chain: 32 bytes. */
  public byte[] digest(long chainId) {
    byte[] words = BatchSettlement.words(4);
    AbiWords.write(words, 0, TYPE_HASH);
    AbiWords.write(words, 1, channelId);
    AbiWords.write(words, 2, nonce);
    AbiWords.write(words, 3, amount);
    return BatchSettlement.domain(chainId).digest(words);
  }
}
