package dev.octroi.payments.books;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.ledger.jdbc.SingleWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatements;

/** Opens the ledger's database for statements that read whole books: each may take ten minutes. */
final class BookReads {

  /** Without a limit, H2 keeps the one that the connection's last user had. */
  private static final int STATEMENT_SECONDS = 600;

  /** Longer than a statement, so that the database is the one that ends it. */
  private static final int ANSWER_MILLIS = (int) TimeUnit.SECONDS.toMillis(STATEMENT_SECONDS + 30);

  private BookReads() {}

  static Jdbi of(DataSource database) {
    DataSource reading = SingleWriter.reading(database);
    Jdbi reads = NamedStatements.of(() -> patient(reading.getConnection()));
    reads.getConfig(SqlStatements.class).setQueryTimeout(STATEMENT_SECONDS);
    return reads;
  }

  /** A pool may wait for answers only as long as a call does. */
  private static Connection patient(Connection connection) throws SQLException {
    int millis = connection.getNetworkTimeout();
    if (millis > 0 && millis < ANSWER_MILLIS) {
      connection.setNetworkTimeout(Runnable::run, ANSWER_MILLIS);
    }
    return connection;
  }
}
