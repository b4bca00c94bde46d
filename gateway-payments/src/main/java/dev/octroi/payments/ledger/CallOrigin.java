package dev.octroi.payments.ledger;

import java.util.Optional;
import java.util.UUID;

/**
 * Whose call a payment is for, as far as more is known than its payer.
 *
 * @param key the API key whose budget it is taken from; empty for a payer that signs for itself
 * @param scope the group of endpoints by the host's word, at most 64 characters; empty where it has
 *     none
 * @param requestId the answer's request id, at most 64 characters; empty where it has none
 */
public record CallOrigin(Optional<UUID> key, String scope, String requestId) {

  /** Nothing is known. */
  public static final CallOrigin UNKNOWN = new CallOrigin(Optional.empty(), "", "");

  private static final int MAX_TEXT = 64;

  /** Throws {@link IllegalArgumentException} where a member is too long. */
  public CallOrigin {
    if (scope.length() > MAX_TEXT || requestId.length() > MAX_TEXT) {
      throw new IllegalArgumentException("a scope and a request id have at most 64 characters");
    }
  }
}
