package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.books.BookExport;
import dev.octroi.payments.books.BookReport;
import dev.octroi.payments.books.BookReport.Difference;
import dev.octroi.payments.books.BookVerification;
import dev.octroi.payments.books.Period;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.jdbc.FlakyDatabase.NextCommit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lines of closed months become balances, and nothing that the books say changes. */
@Tag("spec:money.journal")
abstract class ClosingContract extends LedgerContract {

  private static final Duration LONG_AGO = Duration.ofDays(450);

  /** Money that is given at first sight, and what is paid: two lines a sale of a new payer. */
  private static final int LINES_A_SALE = 2;

  ClosingContract(TestDatabase where) {
    super(where);
  }

  @Test
  void closedMonthsBecomeOpeningBalancesAndEveryBalanceStays() {
    Sample first = Sample.fresh();
    Claim sale = sold(first);
    ledger.refunds().ask(sale.id(), OptionalLong.of(4_000), "broken", "one");
    muchLater();
    sold(Sample.fresh(first.payer()));

    closing(1).run();

    assertThat(count("journal")).isEqualTo(1);
    assertThat(number("SELECT SUM(amount) FROM journal_opening")).isZero();
    assertThat(balance(first)).isEqualTo(START - 16_000);
    assertThat(report().isClean()).isTrue();
    assertThat(report().payments()).isEqualTo(1);
    assertThat(report().closedBefore()).hasValueSatisfying(this::isBeforeTheFirstOfAMonth);
  }

  @Test
  void whatIsNotOldEnoughIsLeftAlone() {
    sold(Sample.fresh());
    clock.forward(Duration.ofDays(399));

    closing(1).run();

    assertThat(count("journal")).isEqualTo(LINES_A_SALE);
    assertThat(count("journal_opening")).isZero();
    assertThat(report().closedBefore()).isEmpty();
  }

  @Test
  @Tag("spec:money.2")
  void aNodeWhoseTimeIsOverByItsClockClosesNothing() {
    sold(Sample.fresh());
    clock.forward(LONG_AGO);

    ledger.closing().run();

    assertThat(count("journal")).isEqualTo(LINES_A_SALE);
    node("later").closing().run();
    assertThat(count("journal")).isZero();
  }

  @Test
  void aDeathBetweenTheStepsLosesNothing() {
    sold(Sample.fresh());
    sold(Sample.fresh());
    muchLater();
    for (NextCommit death : List.of(NextCommit.FAILS, NextCommit.WORKS_BUT_ITS_ANSWER_IS_LOST)) {
      database.nextCommit(death);

      assertThatThrownBy(closing(1)::run).hasStackTraceContaining("the line was cut");

      assertThat(report().differences()).isEmpty();
    }
    assertThat(count("journal")).isEqualTo(2 * LINES_A_SALE - 1);

    closing(1).run();

    assertThat(count("journal")).isZero();
    assertThat(report().differences()).isEmpty();
  }

  @Test
  void monthsAreClosedWhilePaymentsAreMade() throws Exception {
    List<Sample> payers = List.of(Sample.fresh(), Sample.fresh(), Sample.fresh());
    payers.forEach(this::sold);
    muchLater();

    // Two nodes close the same months at once, amid the payments of the accounts concerned.
    concurrently(
        5,
        caller -> {
          if (caller < 2) {
            closing(1).run();
          } else {
            for (int i = 0; i < 10; i++) {
              sold(Sample.fresh(payers.get(caller - 2).payer()));
            }
          }
          return caller;
        });

    assertThat(count("journal")).isEqualTo(30);
    assertThat(report().differences()).isEmpty();
    assertThat(balance(payers.get(0))).isEqualTo(START - 110_000);
  }

  @Test
  void theBooksAgreeForEveryReaderWhileMonthsAreClosed() {
    sold(Sample.fresh());
    muchLater();
    database.before("FROM journal j", closing(1));

    assertThat(report().differences()).isEmpty();

    assertThat(database.wasOvertaken()).isTrue();
    assertThat(count("journal")).isZero();
  }

  @Test
  void anExportDuringWhichMonthsAreClosedHasEachMovement() throws IOException {
    sold(Sample.fresh());
    muchLater();
    database.before("FROM journal j", closing(1));

    assertThat(export(Period.ALL)).hasSize(LINES_A_SALE);

    assertThat(database.wasOvertaken()).isTrue();
    assertThat(count("journal")).isZero();
  }

  @Test
  void anOpeningBalanceThatWasChangedIsFound() {
    sold(Sample.fresh());
    muchLater();
    closing(100).run();
    change("UPDATE journal_opening SET amount = amount + 1");

    assertThat(report().differences()).extracting(Difference::check).contains("opening", "balance");
  }

  @Test
  void anExportThatBeginsInClosedMonthsBeginsWithTheirBalances() throws IOException {
    Sample payer = Sample.fresh();
    sold(payer);
    muchLater();
    sold(Sample.fresh(payer.payer()));
    closing(1).run();

    List<String> all = export(Period.ALL);
    Instant closed = new BookExport(database).closedBefore().orElseThrow();

    assertThat(all).hasSize(4);
    assertThat(all.subList(0, 3)).allMatch(line -> line.contains("\"kind\":\"opening\""));
    assertThat(all.get(0))
        .contains("\"at\":\"" + closed + "\"", "\"to\":\"" + payer.payer(), "999990000");
    assertThat(all.get(3)).contains("\"kind\":\"settlement\"");
    assertThat(export(new Period(closed, Period.ALL.to()))).hasSize(1);
  }

  /** Another node's time: that of the first one has run out. */
  private void muchLater() {
    clock.forward(LONG_AGO);
    ledger = node("later");
  }

  private Claim sold(Sample sample) {
    Claim claim = claimed(ledger, sample);
    assertThat(ledger.settleHere(claim, Sample.ANSWER)).isInstanceOf(Settlement.Settled.class);
    return claim;
  }

  private void isBeforeTheFirstOfAMonth(Instant moment) {
    assertThat(moment.toString()).endsWith("-01T00:00:00Z");
    assertThat(moment).isBefore(clock.instant().minus(Duration.ofDays(400)));
  }

  private JournalClosing closing(int step) {
    return new JournalClosing(
        NamedStatements.of(SingleWriter.of(database)),
        Dialect.of(database).journal(),
        ledger.settings().recordRetention(),
        clock,
        () -> true,
        step);
  }

  private BookReport report() {
    return new BookVerification(database, Map.of(), Duration.ofDays(400), clock)
        .verify(Period.ALL, 100);
  }

  private List<String> export(Period period) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new BookExport(database).write(period, BookExport.Format.JSONL, out);
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
