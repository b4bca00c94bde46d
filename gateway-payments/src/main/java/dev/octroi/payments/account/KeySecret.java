package dev.octroi.payments.account;

import dev.octroi.payments.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The secret of a key: {@code sk-} and 32 random bytes as 43 characters of base64url.
 *
 * <p>It is stored as SHA-256: 256 random bits cannot be guessed, so that a slow hash would cost
 * every call and protect nothing more.
 */
record KeySecret(String text) {

  static final String PREFIX = "sk-";

  private static final Pattern FORM = Pattern.compile("sk-[A-Za-z0-9_-]{43}");
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BYTES = 32;
  private static final int SHOWN = 9;

  static KeySecret fresh() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return new KeySecret(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** The secret, if it has the form of one. */
  static Optional<KeySecret> of(String text) {
    return FORM.matcher(text).matches() ? Optional.of(new KeySecret(text)) : Optional.empty();
  }

  byte[] hash() {
    return Sha256.of(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** What may be shown: 36 of its 256 bits. */
  String shown() {
    return text.substring(0, SHOWN);
  }

  @Override
  public String toString() {
    return shown() + "***";
  }
}
