package dev.octroi.payments.flow;

import java.time.Duration;
import java.time.Instant;

/**
 * How long a paid call may take.
 *
 * @param deadline what the method is told; before the charge never later than the authorization's
 *     life less 10 s (decisions, life of an authorization)
 * @param abandoned when the sweeper takes the claim away from a call that has not been concluded
 * @param lastSettlement after it, settling would run into the authorization's end
 * @param over when the payer has waited as long as a call may take
 * @param delivery how long an answer may be on its way at least
 */
record CallTime(
    Instant deadline, Instant abandoned, Instant lastSettlement, Instant over, Duration delivery) {

  private static final Duration RESERVE = Duration.ofSeconds(10);

  /** A facilitator refuses authorizations with less life than this. */
  private static final Duration SHORTEST_LIFE = Duration.ofSeconds(6);

  /** An answer that was paid for near the end of its call has time to arrive. */
  private static final Duration SHORTEST_DELIVERY = Duration.ofSeconds(10);

  /** A method that keeps its deadline is not swept while its answer is on the way. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  static CallTime of(Instant now, Duration call, Instant validBefore) {
    Instant limit = now.plus(call);
    return new CallTime(
        earlier(limit, validBefore.minus(RESERVE)),
        earlier(limit.plus(GRACE), validBefore),
        validBefore.minus(SHORTEST_LIFE),
        limit,
        delivery(call));
  }

  /** Once it is charged, no authorization limits a call any more. */
  static CallTime afterCharge(Instant now, Duration call) {
    Instant limit = now.plus(call);
    return new CallTime(limit, limit.plus(GRACE), limit, limit, delivery(call));
  }

  /**
   * When an answer that was paid for at a moment counts as not delivered, and may be had again:
   * with the call's time, or, if the payment took long, a little later.
   */
  Instant lastByte(Instant paid) {
    Instant least = paid.plus(delivery);
    return least.isAfter(over) ? least : over;
  }

  private static Duration delivery(Duration call) {
    return call.compareTo(SHORTEST_DELIVERY) < 0 ? call : SHORTEST_DELIVERY;
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
