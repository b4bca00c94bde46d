package dev.octroi.api.phone;

import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.phone.PhoneNumbers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the leases at which something is to be done: one run. Numbers whose lease has ended
 * go back to the vendor, who is asked until that is done. Thread-safe.
 */
final class LeaseTask implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseTask.class);

  private static final int LEASES_A_RUN = 50;

  /** A task's run ends within a minute; what is left waits for the next run. */
  private static final Duration LONGEST_RUN = Duration.ofSeconds(30);

  private static final Duration RELEASED_AGAIN = Duration.ofMinutes(1);
  private static final Duration VENDOR_ANSWERS = Duration.ofSeconds(20);

  private final Leases leases;
  private final LeaseTerms terms;
  private final Optional<PhoneNumbers> vendor;
  private final Clock clock;

  LeaseTask(Leases leases, LeaseTerms terms, Optional<PhoneNumbers> vendor, Clock clock) {
    this.leases = leases;
    this.terms = terms;
    this.vendor = vendor;
    this.clock = clock;
  }

  @Override
  public void run() {
    Deadline end = Deadline.in(LONGEST_RUN);
    for (Lease lease : leases.toLookAt(clock.instant(), LEASES_A_RUN)) {
      if (end.remaining().isZero()) {
        return;
      }
      lookAt(lease);
    }
  }

  /** One lease whose turn fails must not keep the others from theirs. */
  private void lookAt(Lease lease) {
    Instant now = clock.instant();
    try {
      if (lease.state().isHeld()) {
        terms.lookAt(lease, now);
      } else {
        giveBack(lease, now);
      }
    } catch (RuntimeException e) {
      LOG.error("Lease {} could not be looked after", lease.deed().id(), e);
      leases.replace(lease, lease.lookedAt(now.plus(RELEASED_AGAIN)));
    }
  }

  /** The vendor says yes to what it has back already, so that a lost answer does no harm. */
  private void giveBack(Lease lease, Instant now) {
    if (vendor.isEmpty()) {
      leases.replace(lease, lease.lookedAt(now.plus(RELEASED_AGAIN)));
      return;
    }
    try {
      vendor.get().release(lease.deed().leased().reference(), Deadline.in(VENDOR_ANSWERS));
      leases.replace(lease, lease.givenBack());
    } catch (Failure unreachable) {
      LOG.warn("Lease {} could not be given back to the vendor now", lease.deed().id());
      leases.replace(lease, lease.lookedAt(now.plus(RELEASED_AGAIN)));
    }
  }
}
