package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.formula.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs callers' SQL over the on-chain tables, each query alone in a {@link SqlProcess}: one that
 * runs too long, takes too much memory or breaks something ends that process and nothing else. The
 * first query starts a process; one that has nothing to do for a minute ends. Thread-safe.
 */
final class OnchainTables implements AutoCloseable {

  /**
   * More queries at a time than this wait a moment, then are refused, as by a vendor under load.
   */
  private static final int AT_ONCE = 4;

  private static final Duration MOMENT = Duration.ofSeconds(1);
  private static final Duration IDLE = Duration.ofMinutes(1);

  /** The age at which a process makes way for one with newer tables, in seconds. */
  private static final long STALE = 300;

  /** How long a process may take to start and to fill its tables. */
  private static final Duration START = Duration.ofSeconds(20);

  private static final Logger LOG = LoggerFactory.getLogger(OnchainTables.class);

  private final Class<?> engine;
  private final LongSupplier now;
  private final Duration limit;
  private final ThreadPoolExecutor workers;
  private final Set<SqlProcess> processes = ConcurrentHashMap.newKeySet();

  OnchainTables(LongSupplier now, Duration limit) {
    this(SqlEngine.class, now, limit, IDLE);
  }

  /**
   * @param engine what runs in the processes
   * @param now the time, in Unix seconds, at which a process that starts fills its tables
   * @param idle how long a process stays that has nothing to do
   */
  OnchainTables(Class<?> engine, LongSupplier now, Duration limit, Duration idle) {
    this.engine = engine;
    this.now = now;
    this.limit = limit;
    this.workers =
        new ThreadPoolExecutor(
            0,
            AT_ONCE,
            idle.toMillis(),
            TimeUnit.MILLISECONDS,
            new HandOver(),
            Worker::new,
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

  /**
   * Runs one query.
   *
   * @throws Refusal 400 for a bad query or one that takes too much memory, 408 past the time limit,
   *     429 when too many run, 503 where no process can be started
   */
  SqlAnswer query(SqlQuery query) {
    Run run = new Run(query);
    try {
      return await(workers.submit(run::answer), run);
    } catch (RejectedExecutionException busy) {
      throw new Refusal(429, "RATE_LIMITED", "Too many queries at once");
    }
  }

  private SqlAnswer await(Future<SqlAnswer> running, Run run) {
    try {
      if (!run.begun.await(START.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("The sandbox's SQL engine was not ready after {} s", START.toSeconds());
        throw noEngine();
      }
      return running.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof Refusal refusal) {
        throw refusal;
      }
      throw new IllegalStateException("A sandbox query failed", failed.getCause());
    } catch (TimeoutException late) {
      throw new Refusal(408, "QUERY_TIMEOUT", "Query ran over " + limit.toSeconds() + " s");
    } catch (InterruptedException callerGone) {
      Thread.currentThread().interrupt();
      throw new Refusal(499, "CANCELLED", "The caller has gone");
    } finally {
      run.end();
    }
  }

  private static Refusal noEngine() {
    return new Refusal(503, "UPSTREAM_ERROR", "SQL is not available at the moment");
  }

  /** How many queries run now. */
  int running() {
    return workers.getActiveCount();
  }

  /** The processes that live now. */
  List<ProcessHandle> processes() {
    return processes.stream().map(SqlProcess::handle).filter(ProcessHandle::isAlive).toList();
  }

  /** Ends what runs. */
  @Override
  public void close() {
    workers.shutdownNow();
    processes.forEach(SqlProcess::end);
  }

  /** Waits for a worker that has just answered: another process takes far longer to start. */
  private static final class HandOver extends SynchronousQueue<Runnable> {

    private static final long serialVersionUID = 1;
    private static final long MILLIS = 50;

    @Override
    public boolean offer(Runnable work) {
      try {
        return offer(work, MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException callerGone) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }

  /** A thread with a process of its own, which ends with it. */
  private final class Worker extends Thread {

    private @Nullable SqlProcess process;
    private long filled;

    private Worker(Runnable work) {
      super(work, "sandbox-sql");
      setDaemon(true);
    }

    @Override
    public void run() {
      try {
        super.run();
      } finally {
        forget();
      }
    }

    private SqlProcess process() throws IOException {
      long moment = now.getAsLong();
      if (process != null && process.isAlive() && moment - filled < STALE) {
        return process;
      }
      forget();
      filled = moment;
      SqlProcess started = SqlProcess.start(engine, moment);
      processes.add(started);
      process = started;
      return started;
    }

    private void forget() {
      if (process != null) {
        process.end();
        processes.remove(process);
        process = null;
      }
    }
  }

  /** One query on a worker, which another thread may end. */
  private static final class Run {

    private final CountDownLatch begun = new CountDownLatch(1);
    private final SqlQuery query;
    private @Nullable SqlProcess under;
    private boolean over;

    private Run(SqlQuery query) {
      this.query = query;
    }

    private SqlAnswer answer() {
      Worker worker = (Worker) Thread.currentThread();
      SqlProcess process = ready(worker);
      SqlAnswer answer;
      try {
        answer = process.ask(query);
        leave();
      } catch (IOException ended) {
        worker.forget();
        throw new Refusal(400, "INVALID_SQL", "The query takes more memory than it may have");
      }
      if (!answer.taken()) {
        throw new Refusal(400, "INVALID_SQL", answer.text());
      }
      return answer;
    }

    private SqlProcess ready(Worker worker) {
      try {
        SqlProcess process = worker.process();
        enter(process);
        process.awaitReady();
        return process;
      } catch (IOException unavailable) {
        worker.forget();
        if (!isOver()) {
          LOG.warn("The sandbox's SQL engine did not start: {}", unavailable.getMessage());
        }
        throw noEngine();
      } finally {
        begun.countDown();
      }
    }

    private synchronized boolean isOver() {
      return over;
    }

    private synchronized void enter(SqlProcess process) throws IOException {
      if (over) {
        throw new IOException("its caller did not wait for it");
      }
      under = process;
    }

    private synchronized void leave() {
      under = null;
    }

    /** Ends the process that it is still under way in. */
    private synchronized void end() {
      over = true;
      if (under != null) {
        under.end();
      }
    }
  }
}
