package dev.octroi.payments.ledger;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * What a key has spent and may spend, as it stands under this transaction's lock, in atomic units.
 *
 * @param day the UTC day that {@code daySpent} is of
 * @param month the first day of the month that {@code monthSpent} is of
 */
record Budget(
    UUID key,
    OptionalLong daily,
    OptionalLong monthly,
    LocalDate day,
    long daySpent,
    LocalDate month,
    long monthSpent) {

  static LocalDate day(Instant instant) {
    return LocalDate.ofInstant(instant, ZoneOffset.UTC);
  }

  static LocalDate month(Instant instant) {
    return day(instant).withDayOfMonth(1);
  }

  /** The same at a moment; it never goes back to a day that another node's clock has left. */
  Budget at(Instant now) {
    boolean newDay = day(now).isAfter(day);
    boolean newMonth = month(now).isAfter(month);
    return new Budget(
        key,
        daily,
        monthly,
        newDay ? day(now) : day,
        newDay ? 0 : daySpent,
        newMonth ? month(now) : month,
        newMonth ? 0 : monthSpent);
  }

  Budget plus(long amount) {
    return new Budget(
        key,
        daily,
        monthly,
        day,
        Math.addExact(daySpent, amount),
        month,
        Math.addExact(monthSpent, amount));
  }

  /** Which limit so much more would break; empty if none. */
  Optional<ClaimResult.OverBudget> brokenBy(long amount) {
    if (daily.isPresent() && Math.addExact(daySpent, amount) > daily.getAsLong()) {
      return Optional.of(new ClaimResult.OverBudget("daily"));
    }
    return monthly.isPresent() && Math.addExact(monthSpent, amount) > monthly.getAsLong()
        ? Optional.of(new ClaimResult.OverBudget("monthly"))
        : Optional.empty();
  }
}
