package dev.octroi.api.outcome;

import dev.octroi.api.observe.ObservedCall;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.services.upstream.Failures;
import java.util.Locale;

/** How a call ended, as the operator sees it. */
public enum CallOutcome {
  /** It was answered, and nothing went wrong. */
  SERVED,
  /** It brought no payment and was told the price. */
  CHALLENGE,
  /** It brought a payment, which was refused. */
  REFUSED,
  /** It came too often. */
  LIMITED,
  /** Something in the request was wrong. */
  CLIENT_ERROR,
  /** An upstream did not answer in time. */
  TIMEOUT,
  /** The gateway or an upstream failed. */
  SERVER_ERROR,
  /** Its caller had gone before the last byte of the answer. */
  CUT;

  private static final int PAYMENT_REQUIRED = 402;
  private static final int TOO_MANY = 429;

  static CallOutcome of(ObservedCall call, boolean isCut) {
    int status = call.status();
    if (PaymentHeaders.isChallenge(status) && call.broughtPayment() && !call.hadPaymentTaken()) {
      return REFUSED;
    }
    if (status == PAYMENT_REQUIRED) {
      return CHALLENGE;
    }
    if (status == TOO_MANY) {
      return LIMITED;
    }
    if (status >= 500) {
      return Failures.isLate(call.failure().reason()) ? TIMEOUT : SERVER_ERROR;
    }
    if (status >= 400) {
      return CLIENT_ERROR;
    }
    return isCut ? CUT : SERVED;
  }

  /** Whether the caller did not get what it wanted, unless that was the price. */
  public boolean isFailure() {
    return this != SERVED && this != CHALLENGE;
  }

  /** How answers name it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
