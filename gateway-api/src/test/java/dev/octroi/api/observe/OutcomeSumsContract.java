package dev.octroi.api.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.api.observe.CallOutcomes.CallOutcome;
import dev.octroi.api.observe.CallOutcomes.Key;
import dev.octroi.api.observe.CallOutcomes.Latencies;
import dev.octroi.api.observe.OutcomeSums.OutcomeSum;
import dev.octroi.payments.books.Period;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sums of how calls ended, in a real database. */
abstract class OutcomeSumsContract {

  private static final Instant HOUR = Instant.now().truncatedTo(ChronoUnit.HOURS);

  private DataSource database;
  private JdbcLedger ledger;

  /** Whether each of the next commits is made before the line is cut. */
  private final Queue<Boolean> cuts = new ConcurrentLinkedQueue<>();

  /** A new database with the schema and nothing in it. */
  abstract DataSource database();

  @BeforeEach
  void open() {
    database = database();
    ledger =
        new JdbcLedger(
            cutting(database),
            new AnswerVault(new byte[32]),
            LedgerSettings.of("a"),
            Clock.systemUTC());
  }

  @AfterEach
  void close() {
    if (ledger != null) {
      ledger.close();
    }
  }

  /** The database behind a line that is cut at the next commits of the ledger's writers. */
  private DataSource cutting(DataSource real) {
    return proxy(
        DataSource.class,
        (method, arguments) -> {
          Object made = method.invoke(real, arguments);
          return made instanceof Connection connection ? cutting(connection) : made;
        });
  }

  private Connection cutting(Connection real) {
    return proxy(
        Connection.class,
        (method, arguments) -> {
          boolean isCommit =
              method.getName().equals("commit")
                  && Thread.currentThread().getName().startsWith("ledger-writer-");
          Optional<Boolean> isMade = isCommit ? Optional.ofNullable(cuts.poll()) : Optional.empty();
          if (isMade.isEmpty()) {
            return method.invoke(real, arguments);
          }
          if (isMade.get()) {
            real.commit();
          }
          throw new SQLException("the line was cut");
        });
  }

  private interface Passing {
    @Nullable Object on(Method method, Object @Nullable [] arguments)
        throws ReflectiveOperationException, SQLException;
  }

  private static <T> T proxy(Class<T> type, Passing passing) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return passing.on(method, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            }));
  }

  private OutcomeSums sums(String node) {
    return new OutcomeSums(ledger.statements(), database, node, Clock.systemUTC());
  }

  private static OutcomeSum sum(Instant hour, CallOutcome outcome, long calls) {
    long[] counts = new long[Latencies.SIZE];
    counts[3] = calls;
    return new OutcomeSum(
        new Key(hour, "toys", "GET", "/v1/toys/" + "x".repeat(700), outcome),
        1,
        2,
        new Latencies(counts));
  }

  @Test
  void theCallsOfAllNodesAddUpByRowAndByHour() {
    for (String node : List.of("a", "b", "a")) {
      sums(node)
          .adding(List.of(sum(HOUR, CallOutcome.TIMEOUT, 2), sum(HOUR, CallOutcome.SERVED, 5)))
          .run();
    }
    Period day = new Period(HOUR.minus(1, ChronoUnit.DAYS), HOUR.plusSeconds(1));
    assertThat(sums("a").byRow(day, Optional.of("toys")))
        .hasSize(2)
        .allSatisfy(row -> assertThat(row.paying()).isEqualTo(3))
        .allSatisfy(row -> assertThat(row.asked()).isEqualTo(6))
        .anySatisfy(
            row -> {
              assertThat(row.outcome()).isEqualTo(CallOutcome.TIMEOUT);
              assertThat(row.latencies().calls()).isEqualTo(6);
              assertThat(row.path()).hasSize(600);
            });
    assertThat(sums("a").byHour(day, Optional.empty()))
        .allSatisfy(hour -> assertThat(hour.hour()).isEqualTo(HOUR));
    assertThat(sums("a").byRow(day, Optional.of("games"))).isEmpty();
  }

  @Test
  void whatIsOlderThan31DaysIsForgotten() {
    Instant old = HOUR.minus(Duration.ofDays(32));
    sums("a")
        .adding(List.of(sum(old, CallOutcome.SERVED, 1), sum(HOUR, CallOutcome.SERVED, 1)))
        .run();

    sums("a").forget();

    assertThat(sums("a").byHour(new Period(old, HOUR.plusSeconds(1)), Optional.empty()))
        .extracting(OutcomeSums.Ended::hour)
        .containsExactly(HOUR);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Tag("spec:money.unknown_commit")
  void aCutLineAtTheirCommitAddsCountsOnce(boolean isMade) {
    Period day = new Period(HOUR.minus(1, ChronoUnit.DAYS), HOUR.plusSeconds(1));
    sums("a").adding(List.of(sum(HOUR, CallOutcome.SERVED, 2))).run();
    cuts.add(isMade);
    sums("a").adding(List.of(sum(HOUR, CallOutcome.SERVED, 3))).run();
    Runnable adding = sums("a").adding(List.of(sum(HOUR, CallOutcome.SERVED, 4)));
    cuts.addAll(List.of(isMade, isMade));
    assertThatThrownBy(adding::run).isInstanceOf(LedgerUnavailable.class);

    adding.run();

    assertThat(sums("a").byRow(day, Optional.of("toys")))
        .singleElement()
        .satisfies(row -> assertThat(row.latencies().calls()).isEqualTo(9))
        .satisfies(row -> assertThat(row.paying()).isEqualTo(3));
  }
}
