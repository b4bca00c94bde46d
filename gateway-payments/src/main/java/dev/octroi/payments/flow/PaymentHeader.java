package dev.octroi.payments.flow;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentPayload;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The payment header of a request, unread.
 *
 * @param value base64, at most 16 KiB
 * @param current whether it came as {@code PAYMENT-SIGNATURE}
 * @param older whether it came as {@code X-PAYMENT}; both, if both said the same
 */
record PaymentHeader(String value, boolean current, boolean older) {

  /**
   * Finds the header by either name. Throws {@link CallRefused} if it is too long, is there twice,
   * or if both are there and differ.
   */
  static Optional<PaymentHeader> of(Function<String, List<String>> headers) {
    String current = only(headers, PaymentHeaders.PAYMENT_SIGNATURE);
    String older = only(headers, PaymentHeaders.X_PAYMENT);
    if (current != null && older != null && !current.equals(older)) {
      throw new CallRefused(
          HttpAnswer.error(400, "PAYMENT-SIGNATURE and X-PAYMENT differ; send one."));
    }
    String value = current == null ? older : current;
    if (value == null) {
      return Optional.empty();
    }
    if (value.length() > PaymentPayload.MAX_HEADER_CHARS) {
      throw new CallRefused(HttpAnswer.error(431, "The payment header is longer than 16 KiB."));
    }
    return Optional.of(new PaymentHeader(value, current != null, older != null));
  }

  /**
   * The payment. Throws {@link MalformedPayment}; a v1 envelope has only the older header to come
   * in, whose name a v1 client knows.
   */
  PaymentPayload read() {
    PaymentPayload payload = PaymentPayload.read(value);
    if (payload.x402Version() == 1 && current) {
      throw new MalformedPayment("A payment of x402 version 1 is sent in X-PAYMENT alone.");
    }
    return payload;
  }

  /** A header that may be there once; null if it is not. Throws {@link CallRefused} for two. */
  static @Nullable String only(Function<String, List<String>> headers, String name) {
    List<String> values = headers.apply(name);
    if (values.isEmpty()) {
      return null;
    }
    if (values.size() > 1) {
      throw new CallRefused(
          HttpAnswer.error(400, "The header " + name + " is there more than once."));
    }
    return values.get(0);
  }
}
