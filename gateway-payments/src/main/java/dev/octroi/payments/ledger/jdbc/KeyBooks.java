package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.jdbc.Transition.AppliedTransition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Keeps the budgets and the usage of API keys in step with the payments, inside the transaction
 * that moves them. Costs calls without a key nothing.
 */
record KeyBooks(Dialect dialect) {

  private static final String RESERVE =
      """
      UPDATE key_budget SET on_day = ?, day_spent = ?, in_month = ?, month_spent = ? WHERE key_id = ?
      """;

  /** Only the day and the month that it was taken from get it back; what is over stays over. */
  private static final String CHANGE =
      """
      UPDATE key_budget SET
        day_spent = day_spent + CASE WHEN on_day = ? THEN CAST(? AS BIGINT) ELSE 0 END,
        month_spent = month_spent + CASE WHEN in_month = ? THEN CAST(? AS BIGINT) ELSE 0 END
      WHERE key_id = ?
      """;

  private static final String GIVE_BACK =
      """
      UPDATE key_usage SET refunded = refunded + ? WHERE key_id = ? AND on_day = ? AND scope = ?
      """;

  /** A step that was done to a payment of a key. */
  private record Charge(UUID key, Transition transition, AppliedTransition payment) {

    /** What its end adds to what the key has spent; the claim added all of it. */
    long change() {
      return switch (transition.target()) {
        case RELEASED, FAILED -> -payment.amount();
        case SETTLED ->
            transition.firstSource().gaveBack()
                ? payment.charged()
                : payment.charged() - payment.amount();
        case CLAIMED, SETTLING, IN_DOUBT -> 0;
      };
    }
  }

  private record UsageKey(UUID key, LocalDate day, String scope) {}

  /** Writes what claims have taken. */
  void reserve(Connection connection, Collection<Budget> changed) throws SQLException {
    Rows.batch(
        connection,
        RESERVE,
        changed.stream().sorted(Comparator.comparing(Budget::key)).toList(),
        (statement, budget) -> {
          statement.setObject(1, budget.day());
          statement.setLong(2, budget.daySpent());
          statement.setObject(3, budget.month());
          statement.setLong(4, budget.monthSpent());
          statement.setObject(5, budget.key());
        });
  }

  /** Writes what the steps that were done mean for the keys they were paid with. */
  void write(Connection connection, List<Transition> done, Map<UUID, AppliedTransition> applied)
      throws SQLException {
    List<Charge> charges = new ArrayList<>();
    for (Transition transition : done) {
      AppliedTransition payment = applied.get(transition.id());
      if (payment != null && payment.key() != null) {
        charges.add(new Charge(payment.key(), transition, payment));
      }
    }
    charges.sort(Comparator.comparing(Charge::key));
    change(connection, charges.stream().filter(charge -> charge.change() != 0).toList());
    use(
        connection,
        charges.stream()
            .filter(charge -> charge.transition().target() == PaymentState.SETTLED)
            .toList());
  }

  private static void change(Connection connection, List<Charge> charges) throws SQLException {
    Rows.batch(
        connection,
        CHANGE,
        charges,
        (statement, charge) ->
            bind(statement, charge.key(), charge.payment().claimedAt(), charge.change()));
  }

  private static void bind(PreparedStatement statement, UUID key, Instant taken, long change)
      throws SQLException {
    statement.setObject(1, Budget.day(taken));
    statement.setLong(2, change);
    statement.setObject(3, Budget.month(taken));
    statement.setLong(4, change);
    statement.setObject(5, key);
  }

  /**
   * Takes a refund off what a key has spent and used; the payer's account is locked, and the budget
   * is from here on.
   */
  static void giveBack(
      Connection connection, UUID key, Instant claimedAt, String scope, long amount)
      throws SQLException {
    Rows.update(connection, CHANGE, statement -> bind(statement, key, claimedAt, -amount));
    Rows.update(
        connection,
        GIVE_BACK,
        statement -> {
          statement.setLong(1, amount);
          statement.setObject(2, key);
          statement.setObject(3, Budget.day(claimedAt));
          statement.setString(4, scope);
        });
  }

  private void use(Connection connection, List<Charge> settled) throws SQLException {
    Map<UsageKey, long[]> usage =
        new TreeMap<>(
            Comparator.comparing(UsageKey::key)
                .thenComparing(UsageKey::day)
                .thenComparing(UsageKey::scope));
    for (Charge charge : settled) {
      AppliedTransition payment = charge.payment();
      long[] sum =
          usage.computeIfAbsent(
              new UsageKey(charge.key(), Budget.day(payment.claimedAt()), payment.scope()),
              first -> new long[2]);
      sum[0]++;
      sum[1] = Math.addExact(sum[1], payment.charged());
    }
    Rows.batch(
        connection,
        dialect.addUsage(),
        usage.entrySet(),
        (statement, line) -> {
          statement.setObject(1, line.getKey().key());
          statement.setObject(2, line.getKey().day());
          statement.setString(3, line.getKey().scope());
          statement.setLong(4, line.getValue()[0]);
          statement.setLong(5, line.getValue()[1]);
        });
  }

  /**
   * What a key has spent and may spend, as it stands under this transaction's lock, in atomic
   * units.
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
}
