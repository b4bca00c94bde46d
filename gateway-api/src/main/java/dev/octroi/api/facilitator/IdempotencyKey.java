package dev.octroi.api.facilitator;

import dev.octroi.payments.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an asker calls its settlement, so that it may ask again for an answer that was lost. Kept
 * with the payment as a hash that also covers the asker's credential: another asker neither reads
 * nor guesses it. Immutable.
 *
 * @param query how it stands in the payment's binding; empty if the asker gave no key
 */
record IdempotencyKey(String query) {

  static final String HEADER = "Idempotency-Key";

  /** What a key may be, for an asker that sent another. */
  static final String RULE =
      "The header Idempotency-Key has 16 to 128 visible ASCII characters, and no comma.";

  private static final Pattern KEY = Pattern.compile("[!-+\\--~]{16,128}");

  /**
   * The key of a request; empty if it is not one.
   *
   * @param stated the header, null if there is none
   * @param credential the header {@code Authorization}, null if there is none
   */
  static Optional<IdempotencyKey> of(@Nullable String stated, @Nullable String credential) {
    if (stated == null) {
      return Optional.of(new IdempotencyKey(""));
    }
    if (!KEY.matcher(stated).matches()) {
      return Optional.empty();
    }
    String bound = stated + "\n" + (credential == null ? "" : credential);
    return Optional.of(
        new IdempotencyKey("key=" + Sha256.hex(bound.getBytes(StandardCharsets.UTF_8))));
  }
}
