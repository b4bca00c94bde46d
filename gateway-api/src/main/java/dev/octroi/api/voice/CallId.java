package dev.octroi.api.voice;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** Names of calls, which a stranger cannot guess: 128 random bits (money rule 4). */
final class CallId {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BYTES = 16;
  private static final Pattern FORM = Pattern.compile("call_[0-9a-f]{32}");

  private CallId() {}

  static String next() {
    byte[] bits = new byte[BYTES];
    RANDOM.nextBytes(bits);
    return "call_" + HexFormat.of().formatHex(bits);
  }

  /** Whether it can be one; what cannot is not looked for. */
  static boolean isOne(String text) {
    return FORM.matcher(text).matches();
  }
}
