package dev.octroi.payments.ledger;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** The ledger could not answer in time or at all; the caller gets 503 and nothing was promised. */
public final class LedgerUnavailable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final boolean nothingDone;

  /** Whether what was asked is done, or will be, is not known. The message ends in the cause's. */
  public LedgerUnavailable(String message, Throwable cause) {
    this(message + ": " + cause, cause, false);
  }

  private LedgerUnavailable(String message, @Nullable Throwable cause, boolean nothingDone) {
    // Without a stack trace where it is commonplace: a crowd is told so.
    super(message, cause, !nothingDone, !nothingDone);
    this.nothingDone = nothingDone;
  }

  /** What was asked never reached the database and never will. */
  public static LedgerUnavailable nothingDone(String message) {
    return new LedgerUnavailable(message, null, true);
  }

  /** Says in a line what was not done because of this, or the like; its trace is for debugging. */
  public static void log(Logger log, String undone, Throwable why) {
    log.error("{}: {}", undone, why.getMessage());
    log.debug("The failure", why);
  }

  /** Whether it is certain that nothing of what was asked is done, nor will be. */
  public boolean isNothingDone() {
    return nothingDone;
  }
}
