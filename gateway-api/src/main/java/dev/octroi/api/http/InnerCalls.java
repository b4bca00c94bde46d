package dev.octroi.api.http;

import dev.octroi.payments.Exchange;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Calls that this gateway makes of itself over HTTP, on behalf of a caller that used another
 * protocol. They know a secret of this process, by which their word is taken for whom they are made
 * for. Immutable.
 */
public final class InnerCalls {

  /** The secret. */
  public static final String SECRET = "X-Octroi-Inner";

  /** Whom the call is made for, as {@link ClientAddress#of} tells it. */
  public static final String CLIENT = "X-Octroi-Client";

  /** The name under which the answer is passed on to the caller. */
  public static final String PASSED_ON = "X-Octroi-Passed-On";

  private static final int BYTES = 32;

  private final String secret;

  public InnerCalls() {
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    this.secret = HexFormat.of().formatHex(random);
  }

  /** For the header of a call. */
  public String secret() {
    return secret;
  }

  /** Whether this process made a request. */
  boolean made(Exchange request) {
    String given = request.header(SECRET);
    return given != null
        && MessageDigest.isEqual(
            given.getBytes(StandardCharsets.UTF_8), secret.getBytes(StandardCharsets.UTF_8));
  }
}
