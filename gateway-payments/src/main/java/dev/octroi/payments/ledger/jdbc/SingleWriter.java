package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.LedgerUnavailable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.api.ErrorCode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An H2 database that is written by one transaction at a time: the thread that has a connection has
 * the database alone, until it closes the connection.
 *
 * <p>H2 saves its tables one after the other, while other transactions go on. What commits in that
 * moment may be in the file in part, and a process killed then leaves a payment that is settled and
 * has no line in the journal. With one transaction at a time nothing can change while a commit is
 * saved. At the end of a turn the file is synced and kept small, see {@link H2File}. PostgreSQL
 * needs none of this. Thread-safe; a thread that has a connection must not ask for another.
 */
public final class SingleWriter extends ForwardingDataSource {

  /** Longer than any transaction of ours, which all end within the deadline of a call. */
  private static final long TIMEOUT_SECONDS = 30;

  private static final Logger LOG = LoggerFactory.getLogger(SingleWriter.class);

  /** Longer than the half second for which pools take a connection for good without a look. */
  private static final Duration TRUST_OF_POOLS = Duration.ofMillis(600);

  private static final int TRIES = 5;

  private static final int DEEPEST_CAUSE = 10;

  private final H2File file;
  private final Semaphore turn = new Semaphore(1, true);
  private volatile boolean needsRestart;

  SingleWriter(DataSource database, H2File file) {
    super(database);
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
    return database instanceof SingleWriter writer ? writer.database() : database;
  }

  /** How many wait for their turn. */
  int waiting() {
    return turn.getQueueLength();
  }

  @Override
  protected Connection open(Opening opening) throws SQLException {
    await();
    return ExclusiveConnection.of(() -> reopened(opening), file::keep, turn::release);
  }

  /**
   * A connection to a database that is open. H2 closes its file for good at the first write that
   * fails, such as on a full disk, and goes on to hand out what it has of it: the thread that has
   * the turn lets go of all that, so that the next connection opens the file anew, as a start
   * would.
   *
   * <p>A pool trusts for a moment what was good a moment ago, so it is asked again after a pause.
   */
  private Connection reopened(Opening opening) throws SQLException {
    Connection connection = opened(opening);
    for (int tries = 0; H2File.isClosed(connection); tries++) {
      giveBack(connection);
      if (tries == TRIES) {
        needsRestart = true;
        throw new SQLNonTransientConnectionException(
            "H2 has closed its file, and the pool of connections does not let go of it");
      }
      LockSupport.parkNanos(TRUST_OF_POOLS.toNanos());
      connection = opened(opening);
    }
    needsRestart = false;
    return connection;
  }

  /** This process had the file: where it is locked now, something that is left of it has it. */
  private Connection opened(Opening opening) throws SQLException {
    try {
      return opening.open();
    } catch (SQLException e) {
      needsRestart = isLocked(e);
      throw e;
    }
  }

  private static boolean isLocked(SQLException failed) {
    return Stream.<Throwable>iterate(failed, Objects::nonNull, Throwable::getCause)
        .limit(DEEPEST_CAUSE)
        .anyMatch(
            e ->
                e instanceof SQLException sql
                    && sql.getErrorCode() == ErrorCode.DATABASE_ALREADY_OPEN_1);
  }

  private static void giveBack(Connection closed) {
    try {
      closed.close();
    } catch (SQLException e) {
      LOG.debug("A connection to the closed file was given back", e);
    }
  }

  /** Whether only a new process can open the file again: its pool keeps what is closed. */
  boolean needsRestart() {
    return needsRestart;
  }

  private void await() throws SQLException {
    try {
      if (!turn.tryAcquire(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw new SQLTransientConnectionException("another transaction does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLTransientConnectionException("interrupted in the queue for the database", e);
    }
  }

  /** A connection whose end has something done with it, and lets the next one begin. */
  static final class ExclusiveConnection implements InvocationHandler {

    /** What is done before the connection is closed. */
    @FunctionalInterface
    interface Ending {
      void with(Connection connection) throws SQLException;
    }

    private final Connection connection;
    private final Ending ending;
    private final Runnable next;
    private final AtomicBoolean over = new AtomicBoolean();

    private ExclusiveConnection(Connection connection, Ending ending, Runnable next) {
      this.connection = connection;
      this.ending = ending;
      this.next = next;
    }

    /**
     * A connection with errands for when it is closed, each of which runs once.
     *
     * @param ending before it is closed; what it throws is thrown by {@code close}
     * @param next after it is closed, whatever happened, and where it cannot be opened
     */
    static Connection of(Opening opening, Ending ending, Runnable next) throws SQLException {
      try {
        return (Connection)
            Proxy.newProxyInstance(
                ExclusiveConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new ExclusiveConnection(opening.open(), ending, next));
      } catch (SQLException | RuntimeException | Error e) {
        next.run();
        throw e;
      }
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      if (method.getName().equals("close") && over.compareAndSet(false, true)) {
        end();
        return null;
      }
      try {
        return method.invoke(connection, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause() == null ? e : e.getCause();
      }
    }

    private void end() throws SQLException {
      try (Connection closing = connection) {
        if (!closing.isClosed()) {
          ending.with(closing);
        }
      } finally {
        next.run();
      }
    }
  }
}
