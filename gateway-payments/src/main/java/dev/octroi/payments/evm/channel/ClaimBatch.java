package dev.octroi.payments.evm.channel;

import dev.octroi.payments.evm.AbiWords;
import dev.octroi.payments.evm.Keccak;
import java.math.BigInteger;
import java.util.List;

/**
 * What the receiver of channels takes out of them in one transaction, by one voucher each.
 *
 * @param claims one for each channel
 */
public record ClaimBatch(List<ChannelClaim> claims) {

  private static final String ENTRY_TYPE =
      "ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)";
  private static final byte[] ENTRY_HASH = Keccak.ofText(ENTRY_TYPE);
  private static final byte[] BATCH_HASH =
      Keccak.ofText("ClaimBatch(ClaimEntry[] claims)" + ENTRY_TYPE);

  public ClaimBatch {
    claims = List.copyOf(claims);
  }

  /**
   * What is taken out of one channel.
   *
   * @param voucher the payer's permission
   * @param totalClaimed what the receiver will have taken in all, at most what the voucher permits
   */
  public record ChannelClaim(Voucher voucher, BigInteger totalClaimed) {}

  /** What the receiver's authorizer signs on a chain: 32 bytes. */
  public byte[] digest(long chainId) {
    Object[] entries =
        claims.stream()
            .map(
                claim ->
                    Keccak.hash(
                        AbiWords.of(
                            ENTRY_HASH,
                            claim.voucher().channelId(),
                            claim.voucher().maxClaimable(),
                            claim.totalClaimed())))
            .toArray();
    byte[] batch = AbiWords.of(BATCH_HASH, Keccak.hash(AbiWords.of(entries)));
    return BatchSettlement.domain(chainId).digest(batch);
  }
}
