package dev.octroi.payments.ledger;

/** The ledger could not answer in time or at all; the caller gets 503 and nothing was promised. */
public final class LedgerUnavailable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public LedgerUnavailable(String message, Throwable cause) {
    super(message, cause);
  }
}
