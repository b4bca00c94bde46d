package dev.octroi.payments.client;

import java.io.IOException;

/** A payment was sent and no answer came: it may have been taken, so it must not be replaced. */
public final class AnswerLost extends IOException {

  private static final long serialVersionUID = 1L;

  private final String payment;

  AnswerLost(String payment, IOException cause) {
    super("A payment was sent and its answer did not arrive; send the same payment again.", cause);
    this.payment = payment;
  }

  /** The {@code PAYMENT-SIGNATURE} to send again, by {@link PayingClient#sendAgain}. */
  public String payment() {
    return payment;
  }
}
