package dev.octroi.payments.evm;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;

/** What makes payments out of one channel unique, as it stands in the keys of payments. */
public final class ChannelNonce {

  private static final int BYTES = 16;

  private static final byte[] NONE = {};

  private ChannelNonce() {}

  /**
   * What may be taken in all, and the price, together 32 bytes: the difference is what was taken
   * before, which grows with each charge, so that no charged payment meets another one. Behind them
   * stands what tells a deposit from others, so that one that failed is no hindrance to the next.
   *
   * @param maxClaimable what the voucher permits, 0 to 2^128 - 1
   * @param price what the call costs at most, 0 to 2^128 - 1
   * @param deposit {@link #ofSalt}, or a nonce of Permit2 as {@link PermitNonce} spells it; empty
   *     for a payment without a deposit
   * @throws IllegalArgumentException if one is out of its range
   */
  public static String key(BigInteger maxClaimable, BigInteger price, Optional<byte[]> deposit) {
    if (maxClaimable.signum() < 0
        || price.signum() < 0
        || maxClaimable.bitLength() > BYTES * Byte.SIZE
        || price.bitLength() > BYTES * Byte.SIZE) {
      throw new IllegalArgumentException("channels count in 128 bits");
    }
    byte[] behind = deposit.orElse(NONE);
    byte[] key = new byte[Keccak.BYTES + behind.length];
    AbiWords.write(key, 0, maxClaimable.shiftLeft(BYTES * Byte.SIZE).or(price));
    System.arraycopy(behind, 0, key, Keccak.BYTES, behind.length);
    return Hex.of(key);
  }

  /** What tells a deposit from others that its token authorizes, by its salt of 256 bits. */
  public static byte[] ofSalt(BigInteger salt) {
    return AbiWords.of(salt);
  }

  /** What the voucher permits of a payment whose key has this nonce. */
  public static BigInteger maxClaimable(byte[] keyNonce) {
    return new BigInteger(1, Arrays.copyOf(keyNonce, BYTES));
  }

  /** What tells the deposit that a payment brings from others; empty where it brings none. */
  public static Optional<byte[]> deposit(byte[] keyNonce) {
    return keyNonce.length >= 2 * Keccak.BYTES
        ? Optional.of(Arrays.copyOfRange(keyNonce, Keccak.BYTES, keyNonce.length))
        : Optional.empty();
  }

  /**
   * The nonce that a deposit uses up: its token's, which names its channel, or the one of Permit2
   * as {@link PermitNonce} spells it.
   *
   * @param deposit what tells it from others
   */
  public static byte[] used(byte[] channelId, byte[] deposit) {
    return PermitNonce.isOne(deposit) ? deposit : Keccak.hash(channelId, deposit);
  }
}
