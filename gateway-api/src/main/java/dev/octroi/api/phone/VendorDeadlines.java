package dev.octroi.api.phone;

import dev.octroi.services.Deadline;
import java.time.Duration;
import java.time.Instant;

/**
 * How long the vendor is waited for.
 *
 * @param longest for all that one effect asks of it
 * @param over after which time nothing of an effect can be on its way any more: its call may begin
 *     late, and the vendor's answer come later still
 */
record VendorDeadlines(Duration longest, Duration over) {

  Deadline deadline() {
    return Deadline.in(longest);
  }

  boolean isOver(Instant begun, Instant now) {
    return now.isAfter(begun.plus(over));
  }
}
