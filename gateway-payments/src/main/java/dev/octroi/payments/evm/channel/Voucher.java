package dev.octroi.payments.evm.channel;

import dev.octroi.payments.evm.AbiWords;
import java.math.BigInteger;

/**
 * A payer's permission to take so much out of a channel in all, whatever was taken before.
 *
 * @param channelId 32 bytes
 * @param maxClaimable atomic units of the token, 0 to 2^128 - 1
 */
public record Voucher(byte[] channelId, BigInteger maxClaimable) {

  private static final byte[] TYPE_HASH =
      BatchSettlement.typeHash("Voucher(bytes32 channelId,uint128 maxClaimableAmount)");

  /** What the payer signs on a chain: 32 bytes. */
  public byte[] digest(long chainId) {
    byte[] words = BatchSettlement.words(3);
    AbiWords.write(words, 0, TYPE_HASH);
    AbiWords.write(words, 1, channelId);
    AbiWords.write(words, 2, maxClaimable);
    return BatchSettlement.domain(chainId).digest(words);
  }
}
