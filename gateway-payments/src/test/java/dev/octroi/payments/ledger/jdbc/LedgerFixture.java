package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.books.BookVerification;
import dev.octroi.payments.books.Period;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.ClaimResult.Claimed;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.StoredAnswer;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Nodes on one fresh database, and what tests look up behind their backs. */
abstract class LedgerFixture {

  static final long START = 1_000_000_000L;

  final SteppedClock clock = new SteppedClock();
  private final List<JdbcLedger> ledgers = new ArrayList<>();
  Jdbi jdbi;
  FlakyDatabase database;
  JdbcLedger ledger;

  /** A database with the schema and nothing in it. */
  abstract DataSource emptyDatabase();

  abstract void closeDatabase();

  @BeforeEach
  void open() {
    DataSource real = emptyDatabase();
    database = new FlakyDatabase(real);
    jdbi = NamedStatements.of(real);
    ledger = node("a");
  }

  @AfterEach
  void close() {
    database.goOn();
    ledgers.forEach(JdbcLedger::close);
    closeDatabase();
  }

  /** A node that neither beats nor sweeps while the test runs. */
  JdbcLedger node(String name) {
    return node(name, settings -> settings);
  }

  JdbcLedger node(String name, UnaryOperator<LedgerSettings.Builder> change) {
    return node(name, change, clock);
  }

  /** A node that looks at a clock of its own. */
  JdbcLedger node(String name, UnaryOperator<LedgerSettings.Builder> change, Clock itsClock) {
    return node(name, change, Outbox.NONE, itsClock);
  }

  /** A node that tells events. */
  JdbcLedger node(
      String name, UnaryOperator<LedgerSettings.Builder> change, Outbox outbox, Clock itsClock) {
    LedgerSettings.Builder settings =
        LedgerSettings.builder(name)
            .heartbeat(Duration.ofHours(1), Duration.ofHours(3))
            // The clock of a test may tell what it likes.
            .clockDifference(ChronoUnit.FOREVER.getDuration());
    JdbcLedger opened =
        new JdbcLedger(
            database,
            new AnswerVault(new byte[32]),
            change.apply(settings).build(),
            outbox,
            itsClock);
    ledgers.add(opened);
    return opened;
  }

  static Claim claimed(Ledger ledger, Sample sample) {
    ClaimResult result = ledger.claim(sample.request());
    assertThat(result).isInstanceOf(Claimed.class);
    return ((Claimed) result).claim();
  }

  /** Charges for an answer that then does not arrive; null for one that is read again. */
  static Claim lost(Ledger ledger, Sample sample, StoredAnswer answer) {
    Claim claim = claimed(ledger, sample);
    assertThat(ledger.settleHere(claim, answer)).isInstanceOf(Settlement.Settled.class);
    ledger.unanswered(claim);
    return claim;
  }

  void expire(String node) {
    jdbi.useHandle(
        handle ->
            handle
                .createUpdate("UPDATE node SET expires_at = beat_at WHERE name = :name")
                .bind("name", node)
                .execute());
  }

  long balance(Sample sample) {
    return ledger.sandboxBank().balance(Sample.NETWORK, sample.payer(), Sample.ASSET);
  }

  long reserved(Sample sample) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    "SELECT reserved FROM book_account WHERE owner = :owner AND kind = 'PAYER'")
                .bind("owner", KeyBytes.of(Sample.NETWORK, sample.payer()))
                .mapTo(Long.class)
                .one());
  }

  long count(String table) {
    return number("SELECT count(*) FROM " + table);
  }

  long number(String sql) {
    return jdbi.withHandle(handle -> handle.createQuery(sql).mapTo(Long.class).one());
  }

  /** What a bookkeeper would find; and all that was ever moved sums up to nothing. */
  void assertBooksAgree() {
    BookVerification books = new BookVerification(database, Map.of(), Duration.ofDays(400), clock);
    assertThat(books.verify(Period.ALL, 10).differences()).isEmpty();
  }

  void change(String sql) {
    jdbi.useHandle(handle -> handle.execute(sql));
  }

  /** What one caller of a concurrent crowd does. */
  interface Caller<T> {
    T call(int number);
  }

  static <T> List<T> concurrently(int callers, Caller<T> caller) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      List<Callable<T>> calls = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        int number = i;
        calls.add(() -> caller.call(number));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> call : threads.invokeAll(calls)) {
        results.add(call.get());
      }
      return results;
    } finally {
      threads.shutdown();
    }
  }
}
