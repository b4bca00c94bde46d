package dev.octroi.payments.facilitator;

/** A remote facilitator gave no answer that could be understood. The message is for the log. */
final class NoReply extends Exception {

  private static final long serialVersionUID = 1L;

  NoReply(String message) {
    super(message, null, false, false);
  }
}
