package dev.octroi.payments.x402;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;

/**
 * A message of the protocol that cannot be read: a fault of its sender, answered with 400.
 *
 * <p>The message is one plain sentence of this gateway's own, without any of the sender's text, so
 * that it may be shown to the sender.
 */
public final class MalformedPayment extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public MalformedPayment(String sentence) {
    // Without a stack trace: a flood of rubbish must stay cheap to refuse.
    super(sentence, null, false, false);
  }

  /** The answer to its sender. */
  public CallRefused refused() {
    return new CallRefused(HttpAnswer.error(400, String.valueOf(getMessage())));
  }
}
