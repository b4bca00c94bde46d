package dev.octroi.payments;

import jakarta.ws.rs.container.ContainerRequestContext;

/**
 * Decides whether a call may go on at all: rates, calls in flight, payers that policy refuses.
 *
 * <p>A call is refused by throwing a {@link jakarta.ws.rs.WebApplicationException} with the answer
 * to give (429 with {@code Retry-After}, or 403). Implementations are thread-safe and do not block.
 */
public interface Admission {

  /** Lets everything pass. */
  Admission OPEN =
      new Admission() {
        @Override
        public void unpaid(ContainerRequestContext request) {}

        @Override
        public Permit paid(ContainerRequestContext request, String payer) {
          return () -> {};
        }
      };

  /**
   * Counts a call that is about to be answered with a challenge, whether it carried no payment or
   * one that failed; called before the price is computed where there is no payment.
   */
  void unpaid(ContainerRequestContext request);

  /**
   * Counts a call whose payment was verified, so that a forged payer exhausts nobody's limits.
   *
   * @return the place that the call takes up, closed exactly once when its answer is decided
   */
  Permit paid(ContainerRequestContext request, String payer);

  /** A place among the calls in flight. */
  @FunctionalInterface
  interface Permit extends AutoCloseable {
    @Override
    void close();
  }
}
