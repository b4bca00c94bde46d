package dev.octroi.payments.solana;

/** The chain cannot be asked, or our own account there cannot pay; the payer is not to blame. */
public final class SolanaUnavailable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  SolanaUnavailable(String message) {
    super(message);
  }

  SolanaUnavailable(Exception cause) {
    super(cause);
  }
}
