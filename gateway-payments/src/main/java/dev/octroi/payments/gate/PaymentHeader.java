package dev.octroi.payments.gate;

import dev.octroi.payments.x402.PaymentEnvelopes;
import dev.octroi.payments.x402.PaymentHeaders;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.Optional;

/**
 * The payment header of a request, unread.
 *
 * @param value base64, at most 16 KiB
 * @param older whether it came as {@code X-PAYMENT}
 */
record PaymentHeader(String value, boolean older) {

  /**
   * Finds the header by either name. Throws {@link Refusal} if it is too long, or if both are there
   * and differ.
   */
  static Optional<PaymentHeader> of(ContainerRequestContext request) {
    String current = request.getHeaderString(PaymentHeaders.PAYMENT_SIGNATURE);
    String older = request.getHeaderString(PaymentHeaders.X_PAYMENT);
    if (current != null && older != null && !current.equals(older)) {
      throw new Refusal(FlatErrors.of(400, "PAYMENT-SIGNATURE and X-PAYMENT differ; send one."));
    }
    String value = current == null ? older : current;
    if (value == null) {
      return Optional.empty();
    }
    if (value.length() > PaymentEnvelopes.MAX_HEADER_CHARS) {
      throw new Refusal(FlatErrors.of(431, "The payment header is longer than 16 KiB."));
    }
    return Optional.of(new PaymentHeader(value, older != null));
  }
}
