package dev.octroi.payments.flow;

/**
 * How the client of a payment reads its answer.
 *
 * @param older whether it paid by {@code X-PAYMENT}, and so reads {@code X-PAYMENT-RESPONSE}
 * @param version1 whether it paid by an envelope of x402 v1, whose networks have other names
 */
record AnswerForm(boolean older, boolean version1) {

  /** That of clients which speak the present version. */
  static final AnswerForm CURRENT = new AnswerForm(false, false);
}
