package dev.octroi.payments.solana;

import dev.octroi.payments.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * Where an owner keeps a token: the account that the associated-token program derives from owner,
 * token program and mint, so that a payer need not be told it.
 */
final class AssociatedToken {

  private static final byte[] MARKER = "ProgramDerivedAddress".getBytes(StandardCharsets.US_ASCII);

  private static final int FIRST_BUMP = 255;

  private AssociatedToken() {}

  /**
   * The account's address: the first hash, counting the bump seed down from 255, that is no point
   * of the curve, so that no private key can exist for it.
   */
  static SolanaAddress of(SolanaAddress owner, SolanaAddress mint, SolanaAddress tokenProgram) {
    MessageDigest digest = Sha256.digest();
    for (int bump = FIRST_BUMP; bump >= 0; bump--) {
      digest.update(owner.bytes());
      digest.update(tokenProgram.bytes());
      digest.update(mint.bytes());
      digest.update((byte) bump);
      digest.update(Programs.ASSOCIATED_TOKEN.bytes());
      byte[] hash = digest.digest(MARKER);
      if (!Ed25519.isOnCurve(hash)) {
        return SolanaAddress.of(hash);
      }
    }
    throw new IllegalStateException("256 hashes lie on the curve, which happens never");
  }
}
