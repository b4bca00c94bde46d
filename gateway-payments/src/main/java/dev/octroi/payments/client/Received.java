package dev.octroi.payments.client;

import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentAnswers;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.SettlementResponse;
import java.net.http.HttpHeaders;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One HTTP answer, and what it says about payments. */
record Received(int status, HttpHeaders headers, byte[] body) {

  /** The challenge of the header, else the body's. */
  PaymentRequired challenge() {
    return headers
        .firstValue(PaymentHeaders.PAYMENT_REQUIRED)
        .map(PaymentAnswers::readChallenge)
        .orElseGet(() -> PaymentAnswers.readChallengeBody(body));
  }

  PaidAnswer answer(@Nullable Quote quote, @Nullable String payment) {
    boolean refused = payment != null && status == PayingClient.PAYMENT_REQUIRED;
    return new PaidAnswer(
        status, headers, body, quote, payment, receipt(), refused ? refusal() : null);
  }

  private @Nullable SettlementResponse receipt() {
    Optional<String> header =
        headers
            .firstValue(PaymentHeaders.PAYMENT_RESPONSE)
            .or(() -> headers.firstValue(PaymentHeaders.X_PAYMENT_RESPONSE));
    try {
      return header.map(PaymentAnswers::readSettlement).orElse(null);
    } catch (MalformedPayment e) {
      // The money has moved and the answer is here: an unreadable receipt must not lose it.
      return null;
    }
  }

  private @Nullable String refusal() {
    try {
      return challenge().error();
    } catch (MalformedPayment e) {
      return null;
    }
  }
}
