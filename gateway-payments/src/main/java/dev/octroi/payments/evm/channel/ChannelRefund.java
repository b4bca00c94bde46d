package dev.octroi.payments.evm.channel;

import dev.octroi.payments.evm.AbiWords;
import dev.octroi.payments.evm.Keccak;
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
      Keccak.ofText("Refund(bytes32 channelId,uint256 nonce,uint128 amount)");

  /** What the receiver's authorizer signs on a chain: 32 bytes. */
  public byte[] digest(long chainId) {
    byte[] words = AbiWords.of(TYPE_HASH, channelId, nonce, amount);
    return BatchSettlement.domain(chainId).digest(words);
  }
}
