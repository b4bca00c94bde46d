package dev.octroi.payments.books;

import dev.octroi.payments.books.Movement.MovementKind;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.jdbc.LedgerReads;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Sums up the journal by time and group, to plot it. Thread-safe; reads the period's lines, and
 * throws {@link LedgerUnavailable} after ten seconds at most.
 */
public final class Earnings {

  /**
   * A transfer for calls on account is left out: they were earned when they were served. A
   * parameter without a type would make H2 divide to a hundred thousand digits.
   */
  private static final String SUMS =
      """
      SELECT %1$s t.scope, t.debit_kind, t.credit_kind, COUNT(*) AS lines, SUM(t.amount) AS amount
      FROM (
        SELECT CAST(FLOOR(EXTRACT(EPOCH FROM j.at) / CAST(:seconds AS BIGINT)) AS BIGINT) AS step,
          COALESCE(p.scope, '') AS scope, p.method, p.path, d.kind AS debit_kind, c.kind AS credit_kind, j.amount
        FROM journal j
        JOIN book_account d ON d.id = j.debit JOIN book_account c ON c.id = j.credit
        LEFT JOIN payment p ON p.id = j.payment_id LEFT JOIN netting n ON n.id = j.payment_id
        WHERE j.at >= :from AND j.at < :to AND n.id IS NULL) t
      GROUP BY %1$s t.scope, t.debit_kind, t.credit_kind
      """;

  /** The length of a step where steps do not matter. */
  private static final long WHOLE = 1;

  private record Place(long step, String group) {}

  private record Sum(Place place, MovementKind kind, long lines, long amount) {}

  private final LedgerReads database;

  public Earnings(DataSource database) {
    this.database = new LedgerReads(database);
  }

  /**
   * What was earned in a period, the oldest first; steps without a movement are left out, and so is
   * what was before the books were closed.
   *
   * @param step an hour or a day; steps begin at UTC's
   */
  public List<Earned> of(Period period, Duration step) {
    Map<Place, Earned> earned =
        new TreeMap<>(Comparator.comparingLong(Place::step).thenComparing(Place::group));
    for (Sum sum : sums(period, step.toSeconds())) {
      Instant from = Instant.ofEpochSecond(sum.place().step() * step.toSeconds());
      earned.merge(sum.place(), of(from, sum), Earnings::plus);
    }
    return earned.values().stream().filter(Earnings::isSomething).toList();
  }

  /**
   * Tells what was earned at each path in a period, group by group; a path may come several times,
   * and callers make paths.
   */
  public void byPath(Period period, Consumer<EarnedAt> reader) {
    database.each(
        handle -> query(handle, "t.method, t.path,", period, WHOLE),
        (row, context) ->
            new EarnedAt(
                row.getString("method"), row.getString("path"), of(period.from(), sum(row, 0))),
        at -> {
          if (isSomething(at.earned())) {
            reader.accept(at);
          }
        });
  }

  private Collection<Sum> sums(Period period, long seconds) {
    return database.read(
        handle ->
            query(handle, "t.step,", period, seconds)
                .map((row, context) -> sum(row, row.getLong("step")))
                .list());
  }

  private static Query query(Handle handle, String columns, Period period, long seconds) {
    return handle
        .createQuery(SUMS.formatted(columns))
        .bind("seconds", seconds)
        .bind("from", period.from())
        .bind("to", period.to());
  }

  private static Sum sum(ResultSet row, long step) throws SQLException {
    return new Sum(
        new Place(step, row.getString("scope")),
        MovementKind.of(row.getString("debit_kind"), row.getString("credit_kind")),
        row.getLong("lines"),
        row.getLong("amount"));
  }

  private static Earned of(Instant from, Sum sum) {
    String group = sum.place().group();
    return switch (sum.kind()) {
      case SETTLEMENT, ON_ACCOUNT -> new Earned(from, group, sum.lines(), sum.amount(), 0);
      case REGAIN -> new Earned(from, group, 0, sum.amount(), 0);
      case REFUND, LOSS -> new Earned(from, group, 0, 0, sum.amount());
      case FUNDING, NETTING, CHANNEL, CLAIM, OTHER -> new Earned(from, group, 0, 0, 0);
    };
  }

  private static Earned plus(Earned one, Earned other) {
    return new Earned(
        one.from(),
        one.group(),
        one.calls() + other.calls(),
        one.taken() + other.taken(),
        one.givenBack() + other.givenBack());
  }

  private static boolean isSomething(Earned earned) {
    return earned.calls() > 0 || earned.taken() > 0 || earned.givenBack() > 0;
  }

  /**
   * What a group of endpoints earned in a step of time.
   *
   * @param from when the step begins, UTC
   * @param group the group of endpoints; empty where the host names none
   * @param calls how many calls were paid
   * @param taken atomic units that were paid for them
   * @param givenBack atomic units of refunds, and of answers whose transactions failed in the end
   */
  public record Earned(Instant from, String group, long calls, long taken, long givenBack) {}

  /**
   * What was earned at a path.
   *
   * @param method null where it belongs to no call
   * @param path as the caller spelled it, without the query; null where it belongs to no call
   */
  public record EarnedAt(@Nullable String method, @Nullable String path, Earned earned) {}
}
