package dev.octroi.api.group;

import dev.octroi.payments.Payment;
import dev.octroi.services.Deadline;
import jakarta.ws.rs.core.SecurityContext;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** By when a call must have ended: its own limit, or its payment's, whichever comes first. */
public record CallDeadlines(Clock clock) {

  /** The deadline of a call with this payment, or without any. */
  public Deadline of(Optional<Payment> payment, Duration limit) {
    Duration paidFor =
        payment
            .map(paid -> Duration.between(clock.instant(), paid.deadline()))
            .filter(life -> life.compareTo(limit) < 0)
            .orElse(limit);
    return Deadline.in(paidFor);
  }

  public Deadline of(SecurityContext security, Duration limit) {
    return of(Payment.of(security.getUserPrincipal()), limit);
  }
}
