package dev.octroi.payments.body;

import java.io.IOException;

/**
 * A request's body could not be read to its end: its caller broke off, took too long, or sent what
 * the server cannot read. Never a fault of this server, whatever the server calls it: it arises
 * where the connection is read, and nowhere else.
 */
public final class BrokenRequest extends IOException {

  private static final long serialVersionUID = 1L;

  /** As many wrappings as an implementation of JAX-RS may put around it, and more. */
  private static final int DEEPEST = 16;

  BrokenRequest(Throwable cause) {
    super("the request's body broke off or cannot be read", cause);
  }

  /** Whether something was thrown because a request was broken. */
  public static boolean isCauseOf(Throwable thrown) {
    Throwable cause = thrown;
    for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
      if (cause instanceof BrokenRequest) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
