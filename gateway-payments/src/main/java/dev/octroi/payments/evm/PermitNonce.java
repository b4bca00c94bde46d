package dev.octroi.payments.evm;

import java.math.BigInteger;
import java.util.Arrays;

/** The nonces of Permit2 as they stand in the keys of payments. */
public final class PermitNonce {

  /** What stands behind such a nonce. */
  private static final byte MARK = 2;

  private PermitNonce() {}

  /**
   * A nonce in the key of a payment: 33 bytes, so that it never meets a token's own of 32. It names
   * no token, for the contract has one set of nonces for all tokens of an owner.
   */
  public static String key(BigInteger nonce) {
    return Hex.of(bytes(nonce));
  }

  /** The same as bytes. */
  public static byte[] bytes(BigInteger nonce) {
    byte[] key = new byte[Keccak.BYTES + 1];
    AbiWords.write(key, 0, nonce);
    key[Keccak.BYTES] = MARK;
    return key;
  }

  /** Whether a payment was made by Permit2, by the nonce of its key. */
  public static boolean isOne(byte[] nonce) {
    return nonce.length == Keccak.BYTES + 1 && nonce[Keccak.BYTES] == MARK;
  }

  /** What was made a key's nonce. */
  public static BigInteger of(byte[] keyNonce) {
    if (!isOne(keyNonce)) {
      throw new IllegalArgumentException("a nonce of Permit2 has its mark behind it");
    }
    return new BigInteger(1, Arrays.copyOf(keyNonce, Keccak.BYTES));
  }
}
