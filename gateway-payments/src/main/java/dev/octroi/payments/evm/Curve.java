package dev.octroi.payments.evm;

import org.jspecify.annotations.Nullable;

/** The arithmetic of secp256k1, in one of its implementations. Thread-safe. */
interface Curve {

  /** What the log calls it. */
  String description();

  /**
   * The public key, as two coordinates of 32 bytes, whose signature this would be; null if there is
   * none.
   *
   * @param digest 32 bytes
   * @param compact r and s, 32 bytes each, both in 1 to n - 1
   * @param parity 0 or 1
   */
  byte @Nullable [] recover(byte[] digest, byte[] compact, int parity);

  /** Signs with a low s; the result is r and s, 32 bytes each. */
  byte[] sign(byte[] digest, byte[] privateKey);

  /** The public key, as two coordinates of 32 bytes, of a private key in 1 to n - 1. */
  byte[] publicKey(byte[] privateKey);
}
