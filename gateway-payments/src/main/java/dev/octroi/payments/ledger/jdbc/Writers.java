package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.Daemons;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One or two threads that drain one queue, a transaction per batch: the next batch is what queued
 * during the last commit, so that a lone call never waits for company and a crowd shares its
 * commits.
 *
 * <p>The threads are this class's own and are never interrupted, because an interrupt breaks an H2
 * file. Thread-safe.
 */
final class Writers implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Writers.class);

  /** More waiting callers than any server has threads; beyond it the ledger says no at once. */
  private static final int QUEUE = 16_384;

  /** How many statements of callers share one commit at most. */
  private static final int BATCH = 256;

  private static final long CLOSE_SECONDS = 10;

  /** Comes after everything queued and goes from thread to thread, ending each. */
  private final Work<?> last = new CallWork<>((connection, again) -> true);

  private final DataSource database;
  private final Batch batch;
  private final String node;
  private final BlockingQueue<Work<?>> queue = new LinkedBlockingQueue<>(QUEUE);
  private final Queue<Work<?>> postponed = new ConcurrentLinkedQueue<>();
  private final List<CompletableFuture<?>> ended = new ArrayList<>();
  private volatile boolean closing;

  Writers(DataSource database, Batch batch, String node) {
    this.database = database;
    this.batch = batch;
    this.node = node;
  }

  void start(int threads) {
    Daemons daemons = new Daemons("ledger-writer-" + node);
    for (int i = 1; i <= threads; i++) {
      CompletableFuture<?> end = new CompletableFuture<>();
      ended.add(end);
      daemons.persistent(() -> drain(end)).start();
    }
  }

  /**
   * Queues work; it fails at once if the queue is full or the ledger is closed. What must run is
   * done later.
   */
  void submit(Work<?> work) {
    if (closing) {
      work.refuse("the ledger is closed");
    } else if (!queue.offer(work)) {
      String full = "the ledger's queue is full";
      if (work.needsEnd()) {
        giveUp(work, new IllegalStateException(full));
      } else {
        work.refuse(full);
      }
    }
  }

  int queued() {
    return queue.size();
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

  /** Ends once everything queued has been done, or after {@value #CLOSE_SECONDS} seconds. */
  @Override
  public void close() {
    closing = true;
    queue.add(last);
    CompletableFuture.allOf(ended.toArray(CompletableFuture[]::new))
        .completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS)
        .join();
  }

  private void drain(CompletableFuture<?> end) {
    List<Work<?>> works = new ArrayList<>(BATCH);
    boolean goesOn = true;
    while (goesOn) {
      works.clear();
      try {
        works.add(queue.take());
        queue.drainTo(works, BATCH - 1);
        goesOn = !works.remove(last);
        if (!works.isEmpty()) {
          write(works);
        }
      } catch (InterruptedException e) {
        LOG.error("A ledger writer was interrupted by a stranger and goes on", e);
      } catch (Throwable e) {
        // Such as an OutOfMemoryError: no caller waits for a batch that is given up.
        works.forEach(work -> giveUp(work, e));
        LOG.error("A batch of the ledger failed", e);
      }
    }
    queue.add(last);
    end.complete(null);
  }

  private void write(List<Work<?>> works) {
    List<Work<?>> wanted = new ArrayList<>(works.size());
    for (Work<?> work : works) {
      if (work.needsEnd() || !work.isAbandoned()) {
        wanted.add(work);
      } else {
        work.fail(new IllegalStateException("its caller had given up"));
      }
    }
    try {
      transact(wanted);
    } catch (SQLException | RuntimeException | Error e) {
      LOG.info("A batch of {} is run singly: {}", wanted.size(), e.toString());
      wanted.stream().filter(work -> !work.isAcknowledged()).forEach(this::writeSingly);
    }
  }

  /**
   * One bad work must not fail its neighbours. Works are idempotent by attempt, so that after a
   * commit of unknown outcome they are asked for again.
   */
  private void writeSingly(Work<?> work) {
    try {
      transact(List.of(work));
    } catch (SQLException | RuntimeException | Error e) {
      giveUp(work, e);
      LOG.warn("A statement of the ledger failed: {}", e.toString());
      LOG.debug("The statement's failure", e);
    }
  }

  /** Tells the caller first, and keeps what has to be done in the end. */
  private void giveUp(Work<?> work, Throwable why) {
    if (!work.isAcknowledged()) {
      work.fail(why);
      if (work.needsEnd()) {
        postponed.add(work);
      }
    }
  }

  /** What its caller calls off while the connection is waited for is certainly not done. */
  private void transact(List<Work<?>> works) throws SQLException {
    List<Work<?>> begun;
    try (Connection connection = database.getConnection()) {
      begun = works.stream().filter(Work::begin).toList();
      connection.setAutoCommit(false);
      commit(connection, begun);
    }
    begun.forEach(Work::acknowledge);
  }

  private void commit(Connection connection, List<Work<?>> works) throws SQLException {
    try {
      batch.commit(connection, works);
    } catch (SQLException | RuntimeException | Error e) {
      rollback(connection);
      throw e;
    }
  }

  private static void rollback(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      LOG.debug("A rollback failed, the connection is given up", e);
    }
  }
}
