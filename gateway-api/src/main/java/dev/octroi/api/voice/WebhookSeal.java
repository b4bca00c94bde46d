package dev.octroi.api.voice;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What proves that a message is the vendor's: HMAC-SHA256 of its body, in hexadecimal digits, under
 * a secret that only the two know. A message that tells its time is signed with it, as {@code
 * time.body}, and must be of now. One without a time can be sent again by a stranger who saw it,
 * which is why nothing that a message says is believed: it only makes the gateway ask. Thread-safe.
 */
final class WebhookSeal {

  private static final String ALGORITHM = "HmacSHA256";
  private static final int HEX_DIGITS = 64;
  private static final int TIME_DIGITS = 12;
  private static final Duration WINDOW = Duration.ofMinutes(5);

  private final SecretKeySpec key;

  WebhookSeal(String secret) {
    this.key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
  }

  /**
   * Whether a message is genuine, and of now where it tells its time.
   *
   * @param time Unix seconds, as the message tells them
   */
  boolean isGenuine(byte[] body, String signature, Optional<String> time, Instant now) {
    if (signature.length() != HEX_DIGITS || !time.map(at -> isNow(at, now)).orElse(true)) {
      return false;
    }
    try {
      byte[] given = HexFormat.of().parseHex(signature.toLowerCase(Locale.ROOT));
      return MessageDigest.isEqual(sign(time.map(at -> at + ".").orElse(""), body), given);
    } catch (IllegalArgumentException noHex) {
      return false;
    }
  }

  private byte[] sign(String prefix, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(prefix.getBytes(StandardCharsets.UTF_8));
      return mac.doFinal(body);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  private static boolean isNow(String time, Instant now) {
    if (!time.matches("\\d{1," + TIME_DIGITS + "}")) {
      return false;
    }
    try {
      Instant told = Instant.ofEpochSecond(Long.parseLong(time));
      return Duration.between(told, now).abs().compareTo(WINDOW) <= 0;
    } catch (DateTimeException outOfRange) {
      return false;
    }
  }
}
