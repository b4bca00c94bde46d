package dev.octroi.api.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.outcome.CallOutcomes.CallOutcome;
import dev.octroi.api.outcome.CallOutcomes.Key;
import dev.octroi.api.outcome.CallOutcomes.Latencies;
import dev.octroi.api.outcome.OutcomeSums.OutcomeSum;
import dev.octroi.payments.books.Period;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The sums of how calls ended, in a real database. */
abstract class OutcomeSumsContract {

  private static final Instant HOUR = Instant.now().truncatedTo(ChronoUnit.HOURS);

  private DataSource database;
  private JdbcLedger ledger;

  /** A new database with the schema and nothing in it. */
  abstract DataSource database();

  @BeforeEach
  void open() {
    database = database();
    ledger =
        new JdbcLedger(
            database, new AnswerVault(new byte[32]), LedgerSettings.of("a"), Clock.systemUTC());
  }

  @AfterEach
  void close() {
    if (ledger != null) {
      ledger.close();
    }
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
      sums(node).add(List.of(sum(HOUR, CallOutcome.TIMEOUT, 2), sum(HOUR, CallOutcome.SERVED, 5)));
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
    sums("a").add(List.of(sum(old, CallOutcome.SERVED, 1), sum(HOUR, CallOutcome.SERVED, 1)));

    sums("a").forget();

    assertThat(sums("a").byHour(new Period(old, HOUR.plusSeconds(1)), Optional.empty()))
        .extracting(OutcomeSums.Ended::hour)
        .containsExactly(HOUR);
  }
}
