package dev.octroi.api.phone;

import dev.octroi.api.phone.NumberPurchase.Deed;
import dev.octroi.payments.PaymentUse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A phone number's lease as it was read, and what can become of it: each change is another lease,
 * which {@link Leases#replace} writes where this one still stands.
 *
 * @param renewal the payment that may pay for the next term without its owner's call, one at a time
 *     (money rule 9)
 * @param lookAt when the lease task has something to do; empty once the vendor has the number back
 * @param endedAt when it ended
 */
record Lease(
    Deed deed,
    LeaseState state,
    Instant expiresAt,
    Optional<PaymentUse> renewal,
    Optional<Instant> lookAt,
    Optional<Instant> endedAt) {

  /** Of one payment (specification, limits). */
  static final Duration TERM = Duration.ofDays(30);

  /** Between the end of a term and the end of the lease (decisions, automatic renewal). */
  static final Duration GRACE = Duration.ofDays(3);

  static Lease bought(Deed deed) {
    Instant end = deed.boughtAt().plus(TERM);
    return new Lease(
        deed, LeaseState.ACTIVE, end, Optional.empty(), Optional.of(end), Optional.empty());
  }

  /** Whether it is its owner's at a moment, however far the lease task has come. */
  boolean isHeld(Instant now) {
    return state.isHeld() && now.isBefore(graceEnd());
  }

  /** Whether its term is paid for at a moment. */
  boolean isActive(Instant now) {
    return state == LeaseState.ACTIVE && now.isBefore(expiresAt);
  }

  Instant graceEnd() {
    return expiresAt.plus(GRACE);
  }

  /** One term longer, from the old end, by its owner's payment. */
  Lease renewed() {
    requireHeld();
    Instant end = expiresAt.plus(TERM);
    Instant look = renewal.isPresent() ? expiresAt : end;
    return new Lease(deed, LeaseState.ACTIVE, end, renewal, Optional.of(look), Optional.empty());
  }

  /** One term longer by the payment under way, which has settled. */
  Lease renewedItself() {
    return paidForBy(Optional.empty()).renewed();
  }

  /** The same with another payment for the next term, or none. */
  Lease paidForBy(Optional<PaymentUse> use) {
    requireHeld();
    return new Lease(deed, state, expiresAt, use, lookAt, endedAt);
  }

  /** Its term is over, and the next is not paid for. */
  Lease due() {
    requireHeld();
    return new Lease(deed, LeaseState.RENEWAL_DUE, expiresAt, renewal, lookAt, endedAt);
  }

  Lease expired(Instant now) {
    requireHeld();
    return ended(LeaseState.EXPIRED, now);
  }

  Lease released(Instant now) {
    requireHeld();
    return ended(LeaseState.RELEASED, now);
  }

  /** The vendor is to have the number back as soon as possible. */
  private Lease ended(LeaseState how, Instant now) {
    return new Lease(deed, how, expiresAt, Optional.empty(), Optional.of(now), Optional.of(now));
  }

  Lease lookedAt(Instant next) {
    return new Lease(deed, state, expiresAt, renewal, Optional.of(next), endedAt);
  }

  /** The vendor has the number back: nothing is left to do. */
  Lease givenBack() {
    if (state.isHeld()) {
      throw new IllegalStateException("a number that an owner holds is not given back");
    }
    return new Lease(deed, state, expiresAt, renewal, Optional.empty(), endedAt);
  }

  private void requireHeld() {
    if (!state.isHeld()) {
      throw new IllegalStateException("a lease that is " + state + " has ended");
    }
  }

  /** The states of a lease (decisions, automatic renewal). */
  enum LeaseState {
    ACTIVE,
    /** Its term is over and nothing is paid for the next; kept for the days of grace. */
    RENEWAL_DUE,
    /** Its grace is over too. */
    EXPIRED,
    /** Its owner has cancelled it. */
    RELEASED;

    /** Whether an owner holds the number. */
    boolean isHeld() {
      return this == ACTIVE || this == RENEWAL_DUE;
    }
  }
}
