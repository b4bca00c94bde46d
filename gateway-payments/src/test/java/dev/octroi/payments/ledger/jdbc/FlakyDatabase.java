package dev.octroi.payments.ledger.jdbc;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * A real database behind a line that can be held, cut before a commit, cut right after one and
 * overtaken.
 */
final class FlakyDatabase implements DataSource {

  /** What happens to the next commit. */
  enum NextCommit {
    WORKS,
    FAILS,
    WORKS_BUT_ITS_ANSWER_IS_LOST
  }

  private record Errand(String statement, Runnable work) {}

  private final DataSource database;
  private final AtomicReference<NextCommit> next = new AtomicReference<>(NextCommit.WORKS);
  private final Set<String> threads = ConcurrentHashMap.newKeySet();
  private final AtomicInteger committed = new AtomicInteger();
  private final AtomicReference<Errand> errand = new AtomicReference<>();
  private volatile boolean refusesRetry;
  private volatile Thread refused;
  private volatile CountDownLatch line = new CountDownLatch(0);
  private volatile CountDownLatch commits = new CountDownLatch(0);

  FlakyDatabase(DataSource database) {
    this.database = database;
  }

  void nextCommit(NextCommit what) {
    next.set(what);
  }

  /** The same, and the thread whose commit it was gets no connection to try it again. */
  void nextCommitAndItsRetry(NextCommit what) {
    refusesRetry = true;
    nextCommit(what);
  }

  /** Has something happen once, right before a statement that contains this text. */
  void before(String statement, Runnable work) {
    errand.set(new Errand(statement, work));
  }

  /** Whether that has happened. */
  boolean wasOvertaken() {
    return errand.get() == null;
  }

  void holdConnections() {
    line = new CountDownLatch(1);
  }

  void holdCommits() {
    commits = new CountDownLatch(1);
  }

  void goOn() {
    line.countDown();
    commits.countDown();
  }

  /** Names of the threads that have asked for a connection. */
  Set<String> threads() {
    return threads;
  }

  /** How many transactions have been committed. */
  int committed() {
    return committed.get();
  }

  @Override
  public Connection getConnection() throws SQLException {
    threads.add(Thread.currentThread().getName());
    pass(line);
    if (refused == Thread.currentThread()) {
      refused = null;
      throw new SQLException("the line is still cut");
    }
    Connection connection = database.getConnection();
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("commit")) {
                commit(connection);
                return null;
              }
              if (method.getName().equals("prepareStatement")) {
                overtake((String) arguments[0]);
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void overtake(String statement) {
    Errand next = errand.get();
    if (next != null && statement.contains(next.statement()) && errand.compareAndSet(next, null)) {
      next.work().run();
    }
  }

  private void commit(Connection connection) throws SQLException {
    pass(commits);
    NextCommit what = next.getAndSet(NextCommit.WORKS);
    if (what != NextCommit.FAILS) {
      connection.commit();
      committed.incrementAndGet();
    }
    if (what != NextCommit.WORKS) {
      refused = refusesRetry ? Thread.currentThread() : null;
      refusesRetry = false;
      throw new SQLException("the line was cut");
    }
  }

  private static void pass(CountDownLatch latch) throws SQLException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new SQLException(e);
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return getConnection();
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
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return database.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return database.isWrapperFor(type);
  }
}
