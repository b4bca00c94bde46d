package dev.octroi.payments.solana;

/**
 * Solana's signatures (RFC 8032, pure Ed25519), by BouncyCastle: a check takes an eighth of the
 * time that the JDK's own takes.
 */
final class Ed25519 {

  static final int KEY_BYTES = 32;
  static final int SIGNATURE_BYTES = 64;

  private Ed25519() {}

  static byte[] publicKey(byte[] seed) {
    byte[] key = new byte[KEY_BYTES];
    org.bouncycastle.math.ec.rfc8032.Ed25519.generatePublicKey(seed, 0, key, 0);
    return key;
  }

  static byte[] sign(byte[] seed, byte[] publicKey, byte[] message) {
    byte[] signature = new byte[SIGNATURE_BYTES];
    org.bouncycastle.math.ec.rfc8032.Ed25519.sign(
        seed, 0, publicKey, 0, message, 0, message.length, signature, 0);
    return signature;
  }

  /**
   * Whether a key signed a message. A key outside the curve's main subgroup has signed nothing: the
   * chain refuses those of small order, and no honest wallet makes the others.
   */
  static boolean verify(SolanaAddress signer, byte[] message, byte[] signature) {
    byte[] key = signer.bytes();
    return signature.length == SIGNATURE_BYTES
        && org.bouncycastle.math.ec.rfc8032.Ed25519.validatePublicKeyFull(key, 0)
        && org.bouncycastle.math.ec.rfc8032.Ed25519.verify(
            signature, 0, key, 0, message, 0, message.length);
  }

  /** Whether 32 bytes are a point of the curve, so that a private key for them may exist. */
  static boolean isOnCurve(byte[] bytes) {
    return org.bouncycastle.math.ec.rfc8032.Ed25519.validatePublicKeyPartial(bytes, 0);
  }
}
