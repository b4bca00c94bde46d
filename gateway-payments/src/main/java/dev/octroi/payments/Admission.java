package dev.octroi.payments;

import java.util.Map;
import java.util.OptionalInt;

/**
 * Decides whether a call may go on at all: rates, calls in flight, payers that policy refuses.
 *
 * <p>A call is refused by throwing {@link CallRefused} with the answer to give (429 with {@code
 * Retry-After}, or 403), or what the application maps to one. Implementations are thread-safe and
 * do not block.
 */
public interface Admission {

  /** Lets everything pass. */
  Admission OPEN =
      new Admission() {
        @Override
        public void unpaid(Exchange request) {}

        @Override
        public Permit paid(Exchange request, Caller caller) {
          return () -> {};
        }
      };

  /**
   * Counts a call that is about to be answered with a challenge, whether it carried no payment or
   * one that failed; called before the price is computed where there is no payment.
   */
  void unpaid(Exchange request);

  /**
   * Whether a call without payment would be refused now, for there were too many from where it
   * comes; counts nothing. A payment from there is verified before its price is computed, which may
   * be work.
   */
  default boolean refusesUnpaid(Exchange request) {
    return false;
  }

  /**
   * Counts a request whose body could not be read to its end: the caller broke off, took too long,
   * or sent what the server cannot read. It is refused with 400, and nothing is charged.
   */
  default void broken(Exchange request) {}

  /**
   * Has a call take a place while its payment is verified, which may mean to wait for a
   * facilitator; counts nothing, for a forged payment is no payer's call.
   *
   * @return the place, closed once that is over
   */
  default Permit verifying(Exchange request) {
    return () -> {};
  }

  /**
   * Counts a call whose payment was verified, so that a forged payer exhausts no real payer's
   * limits, or whose API key is good, before it pays.
   *
   * @return the place that the call takes up, closed exactly once when its answer is decided
   */
  Permit paid(Exchange request, Caller caller);

  /**
   * Counts a call that its method serves for nothing, because its price is nothing.
   *
   * @return the place that the call takes up, closed once its answer is there
   */
  default Permit free(Exchange request) {
    return () -> {};
  }

  /**
   * Who is counted.
   *
   * @param id the payer's address, or the id of the API key
   * @param requestsPerMinute the key's own rate; empty: what holds for payers
   */
  record Caller(String id, OptionalInt requestsPerMinute) {

    /** A payer that signs for itself. */
    public static Caller payer(String address) {
      return new Caller(address, OptionalInt.empty());
    }
  }

  /** A place among the calls in flight, which is closed once. */
  @FunctionalInterface
  interface Permit extends AutoCloseable {

    /** What the answer tells the caller of its limits, by the names of its headers. */
    default Map<String, String> headers() {
      return Map.of();
    }

    @Override
    void close();
  }
}
