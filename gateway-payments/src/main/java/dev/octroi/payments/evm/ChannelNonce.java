package dev.octroi.payments.evm;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;

/** What makes payments out of one channel unique, as it stands in the keys of payments. */
public final class ChannelNonce {

  private static final int BYTES = 16;

  private ChannelNonce() {}

  /**
   * What may be taken in all, and the price, together 32 bytes: the difference is what was taken
   * before, which grows with each charge, so that no charged payment meets another one. Behind them
   * stands a deposit's salt, so that a deposit that failed is no hindrance to the next.
   *
   * @param maxClaimable what the voucher permits, 0 to 2^128 - 1
   * @param price what the call costs at most, 0 to 2^128 - 1
   * @param salt the deposit's, at most 32 bytes; empty for a payment without one
   * @throws IllegalArgumentException if one is out of its range
   */
  public static String key(BigInteger maxClaimable, BigInteger price, Optional<BigInteger> salt) {
    if (maxClaimable.signum() < 0
        || price.signum() < 0
        || maxClaimable.bitLength() > BYTES * Byte.SIZE
        || price.bitLength() > BYTES * Byte.SIZE) {
      throw new IllegalArgumentException("channels count in 128 bits");
    }
    byte[] key = new byte[salt.isPresent() ? 2 * Keccak.BYTES : Keccak.BYTES];
    AbiWords.write(key, 0, maxClaimable.shiftLeft(BYTES * Byte.SIZE).or(price));
    salt.ifPresent(word -> AbiWords.write(key, 1, word));
    return Hex.of(key);
  }

  /** What the voucher permits of a payment whose key has this nonce. */
  public static BigInteger maxClaimable(byte[] keyNonce) {
    return new BigInteger(1, Arrays.copyOf(keyNonce, BYTES));
  }

  /** The salt of the deposit that a payment brings; empty where it brings none. */
  public static Optional<BigInteger> salt(byte[] keyNonce) {
    return keyNonce.length == 2 * Keccak.BYTES
        ? Optional.of(
            new BigInteger(1, Arrays.copyOfRange(keyNonce, Keccak.BYTES, keyNonce.length)))
        : Optional.empty();
  }
}
