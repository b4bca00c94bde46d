package dev.octroi.payments.facilitator;

/** A remote facilitator gave no answer that could be understood. The message is for the log. */
final class NoReply extends Exception {

  private static final long serialVersionUID = 1L;

  private final boolean sent;

  NoReply(String message) {
    this(message, true);
  }

  private NoReply(String message, boolean sent) {
    super(message, null, false, false);
    this.sent = sent;
  }

  /** No connection could be opened, so that it certainly never heard of anything. */
  static NoReply neverSent(String message) {
    return new NoReply(message, false);
  }

  boolean mayHaveArrived() {
    return sent;
  }
}
