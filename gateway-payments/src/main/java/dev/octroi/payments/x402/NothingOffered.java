package dev.octroi.payments.x402;

/** There is a price, but no facilitator settles at the moment. */
public final class NothingOffered extends RuntimeException {

  private static final long serialVersionUID = 1L;

  NothingOffered() {
    super("no way to pay is offered at the moment", null, false, false);
  }
}
