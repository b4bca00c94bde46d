package dev.octroi.payments;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256: what binds a payment to a body and an envelope, and what stands for a secret. */
public final class Sha256 {

  private Sha256() {}

  /** A digest to be fed in parts; not thread-safe. */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The 32 bytes. */
  public static byte[] of(byte[] bytes) {
    return digest().digest(bytes);
  }

  /** In lower-case hex. */
  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(of(bytes));
  }

  /** What was fed so far, in lower-case hex. */
  public static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }
}
