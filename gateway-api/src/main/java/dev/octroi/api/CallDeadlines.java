package dev.octroi.api;

import dev.octroi.payments.Payment;
import dev.octroi.services.Deadline;
import jakarta.ws.rs.core.SecurityContext;
import java.time.Clock;
import java.time.Duration;

/** By when a call must have ended: its own limit, or its payment's, whichever comes first. */
record CallDeadlines(Clock clock) {

  Deadline of(SecurityContext security, Duration limit) {
    Duration paidFor =
        Payment.of(security.getUserPrincipal())
            .map(payment -> Duration.between(clock.instant(), payment.deadline()))
            .orElse(limit);
    return Deadline.in(paidFor.compareTo(limit) < 0 ? paidFor : limit);
  }
}
