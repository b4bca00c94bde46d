package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.Daemons;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.LedgerUnavailable;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node does beside its calls: heartbeats on one thread, sweeps and deletions on another, so
 * that a long deletion never costs the node its life. The threads are never interrupted.
 */
final class Housekeeping implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
  private static final int THREADS = 2;
  private static final long CLOSE_SECONDS = 10;

  /** Something done again and again. */
  @FunctionalInterface
  interface Task {
    void run() throws SQLException;
  }

  private final LedgerSettings settings;
  private final Membership membership;
  private final Sweep sweep;
  private final Retention retention;
  private final Task makeRoom;
  private final Writers writers;
  private final Deliveries deliveries;
  private final ScheduledExecutorService threads;
  private volatile int livingNodes = 1;

  Housekeeping(
      LedgerSettings settings,
      Membership membership,
      Sweep sweep,
      Retention retention,
      Task makeRoom,
      Writers writers,
      Deliveries deliveries) {
    this.settings = settings;
    this.membership = membership;
    this.sweep = sweep;
    this.retention = retention;
    this.makeRoom = makeRoom;
    this.writers = writers;
    this.deliveries = deliveries;
    threads =
        new ScheduledThreadPoolExecutor(THREADS, new Daemons("ledger-keeper-" + settings.node()));
  }

  /** Begins this node's epoch and closes what others left open, then goes on doing so. */
  void start() {
    try {
      CompletableFuture.runAsync(this::firstRound, threads).join();
    } catch (CompletionException e) {
      threads.shutdown();
      throw new LedgerUnavailable("the ledger's database cannot be used", e);
    }
    long beat = settings.heartbeat().toMillis();
    long round = settings.expiry().toMillis();
    every(beat, "heartbeat", this::beat);
    every(round, "sweep", sweep::run);
    every(round, "retention", this::retain);
    every(TimeUnit.HOURS.toMillis(1), "making room", makeRoom);
  }

  private void firstRound() {
    run("making room", makeRoom);
    membership.begin();
    countNodes();
    sweep.run();
  }

  private void beat() {
    membership.beat();
    countNodes();
    writers.retryPostponed();
    deliveries.endForgotten();
    flush();
  }

  /** By a wrong clock all that others keep for a while would be old. */
  private void retain() {
    if (membership.isAlive()) {
      retention.run();
    }
  }

  private void countNodes() {
    livingNodes = Math.max(1, membership.living());
  }

  /** Has the notes of delivered answers written even if no call comes by. */
  void flush() {
    if (deliveries.isPending()) {
      writers.submit(new CallWork<>((connection, again) -> true));
    }
  }

  int livingNodes() {
    return livingNodes;
  }

  /** Ends this node's epoch, so that others need not wait until it expires. */
  @Override
  public void close() {
    try {
      CompletableFuture.runAsync(membership::end, threads)
          .orTimeout(CLOSE_SECONDS, TimeUnit.SECONDS)
          .join();
    } catch (CompletionException e) {
      LOG.warn("The node's epoch was not ended; it expires by itself", e);
    }
    threads.shutdown();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the task itself reports what goes wrong
  private void every(long millis, String what, Task task) {
    threads.scheduleWithFixedDelay(
        Daemons.guarded("The ledger's " + what, () -> run(what, task)),
        millis,
        millis,
        TimeUnit.MILLISECONDS);
  }

  private static void run(String what, Task task) {
    try {
      task.run();
    } catch (SQLException | RuntimeException e) {
      LOG.warn("The ledger's {} failed and is tried again", what, e);
    }
  }
}
