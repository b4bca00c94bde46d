package dev.octroi.payments.reconcile;

import dev.octroi.payments.Daemons;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the recurring tasks beside the calls, on a schedule that all nodes share in the ledger's
 * database: each is done by one node at a time, and by another if that one dies. Times are the
 * database's, so that the nodes' clocks may differ.
 *
 * <p>Starting it waits for nothing; a database that cannot be reached is tried again. Its threads
 * are its own, daemons, and never interrupted: an interrupt amid a statement breaks an H2 file.
 * Thread-safe.
 */
public final class Reconciler implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);
  private static final int MISSED_HEARTBEATS = 4;
  private static final double MILLIS = 1000;

  /** The class of SQL states of a row that a key forbids. */
  private static final String ALREADY_THERE = "23";

  /** A task that rests and is due, or one whose node no longer says that it is busy with it. */
  private static final String DUE =
      """
      SELECT task_name, version FROM scheduled_tasks
      WHERE task_instance = 'recurring'
        AND ((NOT picked AND execution_time <= CURRENT_TIMESTAMP)
          OR (picked AND last_heartbeat < CURRENT_TIMESTAMP - CAST(:silence AS DOUBLE PRECISION) * INTERVAL '1' SECOND))
      ORDER BY execution_time
      """;

  private static final String ENTER =
      """
      INSERT INTO scheduled_tasks (task_name, task_instance, execution_time, picked, version)
      SELECT CAST(:task AS VARCHAR(100)), 'recurring', CURRENT_TIMESTAMP, FALSE, 1
      WHERE NOT EXISTS (
        SELECT 1 FROM scheduled_tasks WHERE task_name = :task AND task_instance = 'recurring')
      """;

  private static final String PICK =
      """
      UPDATE scheduled_tasks
      SET picked = TRUE, picked_by = :node, last_heartbeat = CURRENT_TIMESTAMP, version = version + 1
      WHERE task_name = :task AND task_instance = 'recurring' AND version = :version
      """;

  private static final String BEAT =
      """
      UPDATE scheduled_tasks SET last_heartbeat = CURRENT_TIMESTAMP
      WHERE task_name = :task AND task_instance = 'recurring' AND picked AND version = :version
      """;

  private static final String REST =
      """
      UPDATE scheduled_tasks
      SET picked = FALSE, picked_by = NULL, last_heartbeat = NULL, version = version + 1,
        execution_time = CURRENT_TIMESTAMP + CAST(:pause AS DOUBLE PRECISION) * INTERVAL '1' SECOND,
        last_success = CASE WHEN :good THEN CURRENT_TIMESTAMP ELSE last_success END,
        last_failure = CASE WHEN :good THEN last_failure ELSE CURRENT_TIMESTAMP END,
        consecutive_failures = CASE WHEN :good THEN 0 ELSE COALESCE(consecutive_failures, 0) + 1 END
      WHERE task_name = :task AND task_instance = 'recurring' AND version = :version
      """;

  private final Jdbi database;
  private final String node;
  private final Map<String, RecurringTask> tasks;
  private final ScheduleSettings schedule;
  private final Map<String, Long> busy = new ConcurrentHashMap<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();
  private final ReentrantLock looking = new ReentrantLock();
  private boolean entered;

  /** A task that this node does now, and the version of its row by which it holds it. */
  private record Picked(RecurringTask task, long version) {}

  /**
   * Makes a reconciler that rests until {@link #start}.
   *
   * @param database the ledger's, whose schema has been applied; stays the caller's to close
   * @param node this node's name among those that share the database
   */
  public Reconciler(
      DataSource database, String node, List<RecurringTask> tasks, ScheduleSettings schedule) {
    this.database = Jdbi.create(database);
    this.node = node;
    this.tasks =
        tasks.stream()
            .collect(Collectors.toUnmodifiableMap(RecurringTask::name, Function.identity()));
    this.schedule = schedule;
  }

  /** Begins after {@link ScheduleSettings#startAfter}, on threads of its own. */
  public synchronized void start() {
    if (tasks.isEmpty() || isClosing(Duration.ZERO)) {
      return;
    }
    Daemons daemons = new Daemons("octroi-reconciler");
    for (int i = 0; i < schedule.threads(); i++) {
      threads.add(daemons.persistent(this::work));
    }
    threads.add(daemons.persistent(this::beat));
    threads.forEach(Thread::start);
  }

  private void work() {
    boolean over = isClosing(schedule.startAfter());
    while (!over) {
      Optional<Picked> picked = Optional.empty();
      try {
        picked = pick();
        picked.ifPresent(this::run);
      } catch (RuntimeException | Error e) {
        LOG.warn("The reconciler could not go on and tries again: {}", e.toString());
        LOG.debug("The reconciler's failure", e);
        picked = Optional.empty();
      }
      over = isClosing(picked.isPresent() ? Duration.ZERO : schedule.polling());
    }
  }

  /** One thread of this node at a time looks, so that two never ask for the same task. */
  private Optional<Picked> pick() {
    looking.lock();
    try {
      if (!entered) {
        database.useHandle(handle -> tasks.keySet().forEach(task -> enter(handle, task)));
        entered = true;
      }
      return picked();
    } finally {
      looking.unlock();
    }
  }

  private Optional<Picked> picked() {
    return database.inTransaction(
        handle -> due(handle).stream().filter(due -> isPicked(handle, due)).findFirst());
  }

  /** Another node may enter it in the same moment. */
  private static void enter(Handle handle, String task) {
    try {
      handle.createUpdate(ENTER).bind("task", task).execute();
    } catch (UnableToExecuteStatementException e) {
      if (!(e.getCause() instanceof SQLException sql)
          || !String.valueOf(sql.getSQLState()).startsWith(ALREADY_THERE)) {
        throw e;
      }
    }
  }

  private List<Picked> due(Handle handle) {
    double silence = seconds(schedule.heartbeat().multipliedBy(MISSED_HEARTBEATS));
    return handle
        .createQuery(DUE)
        .bind("silence", silence)
        .map((row, context) -> Map.entry(row.getString(1), row.getLong(2)))
        .stream()
        .filter(row -> tasks.containsKey(row.getKey()) && !busy.containsKey(row.getKey()))
        .map(row -> new Picked(Objects.requireNonNull(tasks.get(row.getKey())), row.getValue()))
        .toList();
  }

  private boolean isPicked(Handle handle, Picked due) {
    int rows =
        handle
            .createUpdate(PICK)
            .bind("task", due.task().name())
            .bind("version", due.version())
            .bind("node", node)
            .execute();
    return rows == 1;
  }

  private void run(Picked picked) {
    RecurringTask task = picked.task();
    long version = picked.version() + 1;
    busy.put(task.name(), version);
    boolean good = false;
    try {
      task.work().run();
      good = true;
    } catch (RuntimeException | Error e) {
      LOG.warn("The task {} failed and is tried again", task.name(), e);
    } finally {
      busy.remove(task.name());
    }
    boolean ended = good;
    database.useHandle(
        handle ->
            handle
                .createUpdate(REST)
                .bind("task", task.name())
                .bind("version", version)
                .bind("pause", seconds(task.pause()))
                .bind("good", ended)
                .execute());
  }

  /** Proves from time to time that this node is still busy with what it does. */
  private void beat() {
    while (!isClosing(schedule.heartbeat())) {
      try {
        busy.forEach(
            (task, version) ->
                database.useHandle(
                    handle ->
                        handle
                            .createUpdate(BEAT)
                            .bind("task", task)
                            .bind("version", version)
                            .execute()));
      } catch (RuntimeException | Error e) {
        LOG.warn("The reconciler could not say that it is busy", e);
      }
    }
  }

  private static double seconds(Duration time) {
    return time.toMillis() / MILLIS;
  }

  /** Waits so long, or until this reconciler is closed; whether it is. */
  private boolean isClosing(Duration within) {
    try {
      return closing.await(within.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // Only code outside could interrupt these threads; none that goes on would.
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /**
   * Lets the tasks that are under way end, within {@link ScheduleSettings#stopWithin}, and begins
   * no other.
   */
  @Override
  public synchronized void close() {
    closing.countDown();
    long until = System.nanoTime() + schedule.stopWithin().toNanos();
    try {
      for (Thread thread : threads) {
        long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
        thread.join(Math.max(1, left));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * When a node looks for recurring tasks, and how many it runs.
   *
   * @param startAfter how long after {@link Reconciler#start} it first does, so that it costs a
   *     starting gateway nothing
   * @param polling how often it looks for tasks that are due
   * @param heartbeat how often it proves that it is still busy with one; after four that were
   *     missed another node takes the task over
   * @param threads how many tasks this node runs at once, 1 to 16
   * @param stopWithin how long {@link Reconciler#close} waits for a task that is under way
   */
  public record ScheduleSettings(
      Duration startAfter, Duration polling, Duration heartbeat, int threads, Duration stopWithin) {

    private static final int MAX_THREADS = 16;
    private static final Duration SHORTEST = Duration.ofMillis(50);

    public ScheduleSettings {
      require(!startAfter.isNegative(), "the reconciler starts now or later");
      require(polling.compareTo(SHORTEST) >= 0, "the reconciler polls every 50 ms at most");
      require(heartbeat.compareTo(SHORTEST) >= 0, "the reconciler beats every 50 ms at most");
      require(threads >= 1 && threads <= MAX_THREADS, "the reconciler has 1 to 16 threads");
      require(!stopWithin.isNegative(), "the reconciler stops now or later");
    }

    /** Looks every second, two tasks at once; a dead node's are taken over after 20 seconds. */
    public static ScheduleSettings defaults() {
      return new ScheduleSettings(
          Duration.ofSeconds(3),
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          2,
          Duration.ofSeconds(5));
    }

    private static void require(boolean holds, String rule) {
      if (!holds) {
        throw new IllegalArgumentException(rule);
      }
    }
  }
}
