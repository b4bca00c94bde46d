package dev.octroi.reference.sandbox.cryptodata;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The on-chain tables in an embedded database of their own: filled when first asked, read by an
 * account that may select and nothing else. Thread-safe.
 */
final class OnchainTables implements AutoCloseable {

  /**
   * More queries at a time than this wait a moment, then are refused, as by a vendor under load.
   */
  private static final int AT_ONCE = 4;

  private static final Duration MOMENT = Duration.ofSeconds(1);

  private static final String READER = "READER";

  private final World world;
  private final Duration limit;
  private final String url =
      "jdbc:h2:mem:"
          + UUID.randomUUID()
          + ";DATABASE_TO_UPPER=FALSE;CASE_INSENSITIVE_IDENTIFIERS=TRUE";
  private final ThreadPoolExecutor workers;
  private @Nullable Connection owner;

  OnchainTables(World world, Duration limit) {
    this.world = world;
    this.limit = limit;
    this.workers =
        new ThreadPoolExecutor(
            0,
            AT_ONCE,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            OnchainTables::worker,
            OnchainTables::waitForPlace);
  }

  private static void waitForPlace(Runnable work, ThreadPoolExecutor workers) {
    try {
      if (workers.getQueue().offer(work, MOMENT.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException callerGone) {
      Thread.currentThread().interrupt();
    }
    throw new RejectedExecutionException("all places are taken");
  }

  private static Thread worker(Runnable work) {
    Thread thread = new Thread(work, "sandbox-sql");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Runs one query.
   *
   * @param parameters bound to its question marks in order
   * @param maxRows rows after which the answer ends
   * @throws Refusal 400 for a bad query, 408 past the time limit, 429 when too many run
   */
  List<Fields> query(String sql, List<?> parameters, int maxRows) {
    prepare();
    Query query = new Query(sql, parameters, maxRows);
    try {
      Future<List<Fields>> running = workers.submit(query::run);
      return await(running, query);
    } catch (RejectedExecutionException busy) {
      throw new Refusal(429, "RATE_LIMITED", "Too many queries at once");
    }
  }

  private List<Fields> await(Future<List<Fields>> running, Query query) {
    try {
      return running.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      throw refusal(failed.getCause());
    } catch (TimeoutException late) {
      query.cancel();
      throw new Refusal(408, "QUERY_TIMEOUT", "Query ran over " + limit.toSeconds() + " s");
    } catch (InterruptedException callerGone) {
      query.cancel();
      Thread.currentThread().interrupt();
      throw new Refusal(499, "CANCELLED", "The caller has gone");
    }
  }

  private static Refusal refusal(@Nullable Throwable cause) {
    if (cause instanceof SQLTimeoutException) {
      return new Refusal(408, "QUERY_TIMEOUT", "Query was stopped");
    }
    if (cause instanceof SQLException bad) {
      String message = String.valueOf(bad.getMessage());
      int end = message.indexOf("; SQL statement");
      return new Refusal(400, "INVALID_SQL", end < 0 ? message : message.substring(0, end));
    }
    throw new IllegalStateException("A sandbox query failed", cause);
  }

  /** How many queries run now. */
  int running() {
    return workers.getActiveCount();
  }

  private synchronized void prepare() {
    if (owner != null) {
      return;
    }
    try {
      Connection connection = DriverManager.getConnection(url, "OWNER", "owner");
      OnchainSeed.fill(connection, world.now(), READER);
      owner = connection;
    } catch (SQLException failed) {
      throw new IllegalStateException("The sandbox's tables cannot be filled", failed);
    }
  }

  /** Ends what runs and drops the tables. */
  @Override
  public synchronized void close() {
    workers.shutdownNow();
    if (owner != null) {
      try (Connection last = owner;
          Statement statement = last.createStatement()) {
        statement.execute("SHUTDOWN IMMEDIATELY");
      } catch (SQLException failed) {
        throw new IllegalStateException("The sandbox's tables cannot be dropped", failed);
      }
      owner = null;
    }
  }

  /** One query on its own connection, which another thread may cancel. */
  private final class Query {

    private final String sql;
    private final List<?> parameters;
    private final int maxRows;
    private @Nullable Statement statement;
    private boolean cancelled;

    private Query(String sql, List<?> parameters, int maxRows) {
      this.sql = sql;
      this.parameters = parameters;
      this.maxRows = maxRows;
    }

    private List<Fields> run() throws SQLException {
      try (Connection connection = DriverManager.getConnection(url, READER, "reader");
          PreparedStatement prepared = connection.prepareStatement(sql)) {
        prepared.setMaxRows(maxRows);
        prepared.setQueryTimeout((int) Math.max(1, limit.toSeconds()));
        for (int at = 0; at < parameters.size(); at++) {
          prepared.setObject(at + 1, parameters.get(at));
        }
        begin(prepared);
        try (ResultSet rows = prepared.executeQuery()) {
          return read(rows);
        }
      }
    }

    private synchronized void begin(Statement prepared) throws SQLException {
      if (cancelled) {
        throw new SQLTimeoutException("Cancelled before it began");
      }
      statement = prepared;
    }

    private synchronized void cancel() {
      cancelled = true;
      if (statement != null) {
        try {
          statement.cancel();
        } catch (SQLException alreadyOver) {
          statement = null;
        }
      }
    }

    private List<Fields> read(ResultSet rows) throws SQLException {
      List<String> names = names(rows.getMetaData());
      List<Fields> read = new ArrayList<>();
      while (rows.next()) {
        Fields row = new Fields();
        for (int at = 0; at < names.size(); at++) {
          row.put(names.get(at), Cells.json(rows.getObject(at + 1)));
        }
        read.add(row);
      }
      return read;
    }

    /** The columns' labels; one that comes again is numbered. */
    private List<String> names(ResultSetMetaData columns) throws SQLException {
      List<String> names = new ArrayList<>();
      for (int at = 1; at <= columns.getColumnCount(); at++) {
        String label = columns.getColumnLabel(at);
        String name = label;
        for (int again = 2; names.contains(name); again++) {
          name = label + "_" + again;
        }
        names.add(name);
      }
      return names;
    }
  }
}
