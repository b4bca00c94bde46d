package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.ledger.Claim;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * How many statements a call has, and how many rows PostgreSQL reads for a call whose statements it
 * planned while the ledger was empty: it keeps these plans, and nothing but its own housekeeping, a
 * minute later, has it look again.
 */
class PlansOnPostgresTest extends LedgerContract {

  private static final String ROWS =
      """
      SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), pg_stat_force_next_flush()
      FROM pg_stat_xact_user_tables
      WHERE relname IN ('payment', 'book_account')
      """;

  private static final String GROWN =
      """
      INSERT INTO payment SELECT (jsonb_populate_record(p, jsonb_build_object(
          'id', gen_random_uuid(), 'nonce', '\\x' || md5(n::text) || md5(n::text)))).*
        FROM payment p, generate_series(1, 5000) n WHERE p.id = (SELECT id FROM payment LIMIT 1);
      INSERT INTO book_account (kind, network, owner, asset, balance)
        SELECT 'PAYER', network, decode(md5(n::text) || '00000000', 'hex'), asset, 0
        FROM (SELECT * FROM payment LIMIT 1) p, generate_series(1, 5000) n
      """;

  private final AtomicLong rows = new AtomicLong();
  private final AtomicLong statements = new AtomicLong();

  PlansOnPostgresTest() {
    super(new PostgresTestDatabase());
  }

  @Override
  DataSource emptyDatabase() {
    DataSource database = super.emptyDatabase();
    return proxy(
        DataSource.class,
        (proxy, method, arguments) -> {
          Object made =
              passOn(database, method.getName(), () -> method.invoke(database, arguments));
          return made instanceof Connection connection ? counting(connection) : made;
        });
  }

  private Connection counting(Connection connection) {
    return proxy(
        Connection.class,
        (proxy, method, arguments) ->
            passOn(connection, method.getName(), () -> method.invoke(connection, arguments)));
  }

  private interface Call {
    Object make() throws ReflectiveOperationException;
  }

  private Object passOn(Object target, String method, Call call) throws Throwable {
    if (method.equals("commit")) {
      count((Connection) target);
    }
    if (method.equals("prepareStatement")) {
      statements.incrementAndGet();
    }
    try {
      return call.make();
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private void count(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet sum = statement.executeQuery(ROWS)) {
      sum.next();
      rows.addAndGet(sum.getLong(1));
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Test
  void aCallReadsTheRowsOfItsPaymentHoweverManyThereAreByNow() {
    sell(60);
    long young = rows.getAndSet(0);

    jdbi.useHandle(handle -> handle.createScript(GROWN).execute());
    sell(60);

    assertThat(rows.get()).as("%d rows on the empty ledger", young).isLessThan(60 * 20);
  }

  @Test
  void whetherAPayerHasPaidIsFoundAmongAllPaymentsWithoutReadingThem() {
    sell(60);
    jdbi.useHandle(handle -> handle.createScript(GROWN).execute());
    jdbi.useHandle(handle -> handle.execute("ANALYZE payment"));
    rows.set(0);

    assertThat(ledger.history(Sample.NETWORK, Sample.random(20)).hasPaid()).isFalse();

    assertThat(rows.get()).isLessThan(20);
  }

  /** Each is a round trip; locks, claim and books, then locks, transition and books. */
  @Test
  void aCallOfAPayerWhoIsKnownHasSixStatements() {
    Sample first = Sample.fresh().rereadable();
    sell(first);
    sell(Sample.fresh(first.payer()).rereadable());
    statements.set(0);

    sell(Sample.fresh(first.payer()).rereadable());

    assertThat(statements).hasValue(6);
  }

  private void sell(int calls) {
    for (int i = 0; i < calls; i++) {
      sell(Sample.fresh().rereadable());
    }
  }

  private void sell(Sample sample) {
    Claim claim = claimed(ledger, sample);
    ledger.settleHere(claim, null);
    ledger.delivered(claim);
  }
}
