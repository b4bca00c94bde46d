package dev.octroi.payments.evm.channel;

import dev.octroi.payments.evm.AbiWords;
import dev.octroi.payments.evm.Keccak;
import java.math.BigInteger;

/**
 * A payer's permission to take so much out of a channel in all, whatever was taken before.
 *
 * @param channelId 32 bytes
 * @param maxClaimable atomic units of the token, 0 to 2^128 - 1
 */
public record Voucher(byte[] channelId, BigInteger maxClaimable) {

  private static final byte[] TYPE_HASH =
      Keccak.ofText("Voucher(bytes32 channelId,uint128 maxClaimableAmount)");

  /** What the payer signs on a chain: 32 bytes. */
  public byte[] digest(long chainId) {
    byte[] words = AbiWords.of(TYPE_HASH, channelId, maxClaimable);
    return BatchSettlement.domain(chainId).digest(words);
  }
}
