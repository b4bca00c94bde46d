package dev.octroi.payments.evm;

import java.nio.charset.StandardCharsets;
import org.bouncycastle.crypto.digests.KeccakDigest;

/** Keccak-256, the hash of EVM chains (not SHA3-256, whose padding differs). */
public final class Keccak {

  public static final int BYTES = 32;

  private Keccak() {}

  /** The hash, 32 bytes, of the parts one after the other. */
  public static byte[] hash(byte[]... parts) {
    KeccakDigest digest = new KeccakDigest(BYTES * 8);
    for (byte[] part : parts) {
      digest.update(part, 0, part.length);
    }
    byte[] hash = new byte[BYTES];
    digest.doFinal(hash, 0);
    return hash;
  }

  /** The hash of a text, such as the name of a type. */
  public static byte[] ofText(String text) {
    return hash(text.getBytes(StandardCharsets.UTF_8));
  }
}
