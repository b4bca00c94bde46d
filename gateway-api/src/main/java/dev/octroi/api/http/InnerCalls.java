package dev.octroi.api.http;

import dev.octroi.payments.Exchange;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
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

  /** The request that a payment is bound to, where that is not the call itself. */
  public static final String BOUND_TO = "X-Octroi-Bound-To";

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

  /** For the header of a call that is a part of another request. */
  public static String boundTo(RequestBinding request) {
    return String.join(
        " ", request.method(), request.path() + "?" + request.query(), request.bodyHash());
  }

  /** What {@link #boundTo} has written. */
  static RequestBinding binding(String header) {
    String[] parts = header.split(" ", -1);
    int query = parts[1].indexOf('?');
    return new RequestBinding(
        parts[0], parts[1].substring(0, query), parts[1].substring(query + 1), parts[2]);
  }

  /** Whether this process made a request. */
  boolean made(Exchange request) {
    String given = request.header(SECRET);
    return given != null
        && MessageDigest.isEqual(
            given.getBytes(StandardCharsets.UTF_8), secret.getBytes(StandardCharsets.UTF_8));
  }
}
