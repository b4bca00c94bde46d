package dev.octroi.payments.x402;

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
}
