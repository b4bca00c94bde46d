package dev.octroi.api.phone;

import dev.octroi.api.group.Outcomes;
import dev.octroi.api.phone.LeaseChanges.Change;
import dev.octroi.api.phone.NumberPurchase.NumberOrder;
import dev.octroi.payments.Payment;
import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.payments.effect.EffectRunner.EffectResult;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.phone.PhoneNumbers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Leases numbers out: what could refuse a call is looked at first, then its effect is had done and
 * paid for. A call of a payment that has settled only learns what became of its effect.
 * Thread-safe.
 *
 * @param vendor of numbers, if there is one
 * @param purchases where numbers are bought
 */
record LeaseService(
    Leases leases,
    Optional<PhoneNumbers> vendor,
    Optional<EffectRunner> purchases,
    EffectRunner renewals,
    EffectRunner releases,
    Clock clock) {

  private static final Duration SOON = Duration.ofSeconds(10);

  /**
   * Buys a number.
   *
   * @throws Failure 409 {@code number_unavailable}, 502, 503
   */
  Lease buy(NumberOrder order, Payment payment, Deadline deadline) {
    if (!payment.isSettled() && offered(order, deadline).isEmpty()) {
      throw new Failure(
          ErrorCode.NUMBER_UNAVAILABLE, "There is no number to be had in this country or area.");
    }
    EffectRunner runner = purchases.orElseThrow(LeaseService::noVendor);
    EffectResult.Done done =
        Outcomes.done(
            runner.perform(payment, order.text()),
            ErrorCode.UPSTREAM_FAILED,
            "No number could be bought.");
    return leases
        .find(done.effect().id())
        .orElseThrow(() -> new IllegalStateException("a lease was bought and is not there"));
  }

  private List<PhoneNumber> offered(NumberOrder order, Deadline deadline) {
    return vendor
        .orElseThrow(LeaseService::noVendor)
        .available(order.country(), order.areaCode(), deadline);
  }

  /** What an owner has. */
  List<Lease> held(String owner) {
    return leases.held(owner, clock.instant());
  }

  /**
   * Extends a lease by a term.
   *
   * @return when it then ends
   * @throws Failure 404 {@code number_not_owned}, 502, 503
   */
  Instant renew(Lease lease, Payment payment) {
    EffectResult.Done done =
        change(Change.RENEWAL, lease, payment, "The lease could not be renewed.");
    return Instant.parse(done.details());
  }

  /**
   * Ends a lease; the vendor gets the number back.
   *
   * @throws Failure 404 {@code number_not_owned}, 502, 503
   */
  void release(Lease lease, Payment payment) {
    change(Change.RELEASE, lease, payment, "The number could not be released.");
  }

  private EffectResult.Done change(Change change, Lease lease, Payment payment, String failed) {
    if (!payment.isSettled() && lease.renewal().isPresent()) {
      throw new Failure(
          ErrorCode.UPSTREAM_UNAVAILABLE,
          "A renewal of this number is under way. Send the same again.",
          SOON,
          null);
    }
    EffectRunner runner = change == Change.RENEWAL ? renewals : releases;
    return Outcomes.done(
        runner.perform(payment, lease.deed().id().toString()), ErrorCode.NUMBER_NOT_OWNED, failed);
  }

  /**
   * The caller's lease of a number; for a payment that has settled, however it has ended since.
   *
   * @throws Failure 404 {@code number_not_owned}
   */
  Lease owned(PhoneNumber number, Payment payment) {
    return leases
        .latest(payment.owner(), number)
        .filter(lease -> payment.isSettled() || lease.isHeld(clock.instant()))
        .orElseThrow(
            () ->
                new Failure(ErrorCode.NUMBER_NOT_OWNED, "This number is not leased to you here."));
  }

  private static Failure noVendor() {
    return new Failure(ErrorCode.UPSTREAM_UNAVAILABLE, "This gateway has no vendor of numbers.");
  }
}
