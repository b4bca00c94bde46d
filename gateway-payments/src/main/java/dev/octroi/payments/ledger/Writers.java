package dev.octroi.payments.ledger;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two threads that drain one queue, a transaction per batch: the next batch is what queued during
 * the last commit, so that a lone call never waits for company and a crowd shares its commits.
 *
 * <p>The threads are this class's own and are never interrupted, because an interrupt breaks an H2
 * file. Thread-safe.
 */
final class Writers implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Writers.class);
  private static final int THREADS = 2;

  /** More waiting callers than any server has threads; beyond it the ledger says no at once. */
  private static final int QUEUE = 16_384;

  private static final Duration IDLE_LOOK = Duration.ofMillis(500);

  private final DataSource database;
  private final Batch batch;
  private final int size;
  private final BlockingQueue<Work<?>> queue = new LinkedBlockingQueue<>(QUEUE);
  private final Queue<Work<?>> postponed = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closing;

  Writers(DataSource database, Batch batch, int size, String node) {
    this.database = database;
    this.batch = batch;
    this.size = size;
    for (int i = 1; i <= THREADS; i++) {
      Thread thread = new Thread(this::drain, "ledger-writer-" + node + "-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
  }

  void start() {
    threads.forEach(Thread::start);
  }

  /**
   * Queues work.
   *
   * @throws LedgerUnavailable if the queue is full or the ledger is closed
   */
  void submit(Work<?> work) {
    if (closing || !queue.offer(work)) {
      work.fail(new IllegalStateException(closing ? "closed" : "the queue is full"));
    }
  }

  /** Tries again what had to run and could not; each heartbeat calls it. */
  void retryPostponed() {
    for (int left = postponed.size(); left > 0; left--) {
      Work<?> work = postponed.poll();
      if (work != null) {
        submit(work);
      }
    }
  }

  /** Ends once everything queued has been done. */
  @Override
  public void close() {
    closing = true;
    for (Thread thread : threads) {
      join(thread);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void drain() {
    List<Work<?>> works = new ArrayList<>(size);
    while (!closing || !queue.isEmpty()) {
      try {
        Work<?> first = queue.poll(IDLE_LOOK.toMillis(), TimeUnit.MILLISECONDS);
        if (first == null) {
          continue;
        }
        works.add(first);
        queue.drainTo(works, size - 1);
        write(works);
      } catch (InterruptedException e) {
        LOG.error("A ledger writer was interrupted by a stranger and goes on", e);
      } catch (RuntimeException e) {
        LOG.error("A batch of the ledger failed", e);
      } finally {
        works.clear();
      }
    }
  }

  private void write(List<Work<?>> works) {
    List<Work<?>> wanted = new ArrayList<>(works.size());
    for (Work<?> work : works) {
      if (work.mustRun() || !work.isAbandoned()) {
        wanted.add(work);
      } else {
        work.fail(new IllegalStateException("its caller had given up"));
      }
    }
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      transact(connection, wanted);
    } catch (SQLException | RuntimeException e) {
      writeSingly(wanted, e);
    }
  }

  /**
   * One bad work must not fail its neighbours. Works are idempotent by attempt, so that a commit of
   * unknown outcome is simply asked for again.
   */
  private void writeSingly(List<Work<?>> works, Exception batchFailed) {
    LOG.info("A batch of {} is run singly: {}", works.size(), batchFailed.toString());
    for (Work<?> work : works) {
      try (Connection connection = database.getConnection()) {
        connection.setAutoCommit(false);
        transact(connection, List.of(work));
      } catch (SQLException | RuntimeException e) {
        LOG.warn("A statement of the ledger failed", e);
        if (work.mustRun()) {
          postponed.add(work);
        }
        work.fail(e);
      }
    }
  }

  private void transact(Connection connection, List<Work<?>> works) throws SQLException {
    works.forEach(Work::begin);
    try {
      batch.run(connection, works);
      connection.commit();
    } catch (SQLException | RuntimeException e) {
      rollback(connection);
      throw e;
    }
    works.forEach(Work::acknowledge);
  }

  private static void rollback(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      LOG.debug("A rollback failed, the connection is given up", e);
    }
  }
}
