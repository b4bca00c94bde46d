package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.Sha256;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.KeyBytes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * For whom answers are kept besides the payment that bought them: the payer's wallet, for the same
 * request (column {@code reader}).
 *
 * @param kept whether they are
 */
record Readers(boolean kept) {

  /**
   * Null where the answer is kept for its payment alone, as that of a call by API key always is.
   */
  byte @Nullable [] of(ClaimRequest request) {
    return kept && request.origin().key().isEmpty()
        ? of(request.key().network(), wallet(request), request.binding())
        : null;
  }

  /** A channel's answers are its payer's. */
  private static String wallet(ClaimRequest request) {
    return request
        .channel()
        .map(use -> PaymentKey.spelling(use.payer()))
        .orElse(request.key().payer());
  }

  static byte[] of(String network, String payer, RequestBinding binding) {
    MessageDigest digest = Sha256.digest();
    digest.update(KeyBytes.hash(binding.hash()));
    digest.update(network.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
    digest.update(KeyBytes.of(network, payer));
    return digest.digest();
  }
}
