package dev.octroi.services.upstream;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;

/**
 * How an upstream does, as one node sees it.
 *
 * @param state whether it is called at all
 * @param calls how many of the last calls are judged by, as many as the breaker's window at most
 * @param failed how many of these failed
 * @param inUse connections that calls have
 * @param waiting calls that wait for a connection
 */
public record UpstreamHealth(State state, int calls, int failed, int inUse, int waiting) {

  /** What the circuit breaker lets pass. */
  public enum State {
    /** Every call. */
    UP,
    /** A few calls, by which it is seen whether it is up again. */
    TRIED,
    /** None: too many of the last ones failed. */
    DOWN;

    static State of(CircuitBreaker.State state) {
      return switch (state) {
        case CLOSED, DISABLED, METRICS_ONLY -> UP;
        case HALF_OPEN -> TRIED;
        case OPEN, FORCED_OPEN -> DOWN;
      };
    }
  }
}
