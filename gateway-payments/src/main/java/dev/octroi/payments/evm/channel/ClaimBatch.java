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
  private static final byte[] ENTRY_HASH = BatchSettlement.typeHash(ENTRY_TYPE);
  private static final byte[] BATCH_HASH =
      BatchSettlement.typeHash("ClaimBatch(ClaimEntry[] claims)" + ENTRY_TYPE);

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
    byte[] entries = BatchSettlement.words(claims.size());
    for (int i = 0; i < claims.size(); i++) {
      ChannelClaim claim = claims.get(i);
      byte[] entry = BatchSettlement.words(4);
      AbiWords.write(entry, 0, ENTRY_HASH);
      AbiWords.write(entry, 1, claim.voucher().channelId());
      AbiWords.write(entry, 2, claim.voucher().maxClaimable());
      AbiWords.write(entry, 3, claim.totalClaimed());
      AbiWords.write(entries, i, Keccak.hash(entry));
    }
    byte[] batch = BatchSettlement.words(2);
    AbiWords.write(batch, 0, BATCH_HASH);
    AbiWords.write(batch, 1, Keccak.hash(entries));
    return BatchSettlement.domain(chainId).digest(batch);
  }
}
