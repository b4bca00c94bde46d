package dev.octroi.payments.ledger;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * An H2 database that is written by one transaction at a time: whoever has a connection has it
 * alone, until it is closed.
 *
 * <p>H2 saves its tables one after the other, while other transactions go on. What commits in that
 * moment may be in the file in part, and a process killed then leaves a payment that is settled and
 * has no line in the journal. With one transaction at a time nothing can change while a commit is
 * saved. At the end of a turn the file is synced and kept small, see {@link H2File}. PostgreSQL
 * needs none of this. Thread-safe; a thread that has a connection must not ask for another.
 */
public final class SingleWriter implements DataSource {

  /** Longer than any transaction of ours, which all end within the deadline of a call. */
  private static final long PATIENCE_SECONDS = 30;

  private final DataSource database;
  private final H2File file;
  private final Semaphore turn = new Semaphore(1, true);

  SingleWriter(DataSource database, H2File file) {
    this.database = database;
    this.file = file;
  }

  /**
   * The database as it is to be written: whatever writes to one H2 file in this process must be
   * given the same result.
   *
   * @throws LedgerUnavailable if the database cannot be reached
   */
  public static DataSource of(DataSource database) {
    boolean known = database instanceof SingleWriter;
    return known || Dialect.of(database).writers() > 1
        ? database
        : new SingleWriter(database, new H2File());
  }

  /** The database as it may be read, by any number at a time. */
  public static DataSource reading(DataSource database) {
    return database instanceof SingleWriter writer ? writer.database : database;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return inTurn(database::getConnection);
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    return inTurn(() -> database.getConnection(username, password));
  }

  /** How many wait for their turn. */
  int waiting() {
    return turn.getQueueLength();
  }

  /** How a connection is had. */
  private interface Opening {
    Connection open() throws SQLException;
  }

  private Connection inTurn(Opening opening) throws SQLException {
    await();
    try {
      return Turn.with(opening.open(), file::keep, turn::release);
    } catch (SQLException | RuntimeException e) {
      turn.release();
      throw e;
    }
  }

  private void await() throws SQLException {
    try {
      if (!turn.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new SQLTransientConnectionException("another transaction does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLTransientConnectionException("interrupted in the queue for the database", e);
    }
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return database.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return database.isWrapperFor(type);
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return database.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    database.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    database.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return database.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return database.getParentLogger();
  }
}
