package dev.octroi.sandbox.language;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Ids that look like the vendors' and are the same for the same request. */
final class Ids {

  private static final int LENGTH = 24;
  private static final int BASE = 36;

  private Ids() {}

  static String of(String purpose, String request) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(purpose.getBytes(StandardCharsets.UTF_8));
      byte[] hash = digest.digest(request.getBytes(StandardCharsets.UTF_8));
      return new BigInteger(1, hash).toString(BASE).substring(0, LENGTH);
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }
}
