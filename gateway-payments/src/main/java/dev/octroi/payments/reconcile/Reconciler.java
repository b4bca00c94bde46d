package dev.octroi.payments.reconcile;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.jdbc.DefaultJdbcCustomization;
import com.github.kagkarlsson.scheduler.jdbc.JdbcCustomization;
import com.github.kagkarlsson.scheduler.jdbc.PostgreSqlJdbcCustomization;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import dev.octroi.payments.Daemons;
import dev.octroi.payments.ledger.jdbc.ForwardingDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the recurring tasks beside the calls, on a schedule that all nodes share in the ledger's
 * database: each is done by one node at a time, and by another if that one dies.
 *
 * <p>Starting it waits for nothing; a database that cannot be reached is tried again. Its threads
 * are its own, daemons, and never interrupted. Thread-safe.
 */
public final class Reconciler implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);
  private static final int HOUSEKEEPERS = 2;
  private static final int MISSED_HEARTBEATS = 4;

  /**
   * The scheduler writes what its node's clock says. A node whose clock was ahead would keep a task
   * from all nodes until that time. The database's clock tells, which they share; theirs differ
   * from it by less than two minutes.
   */
  private static final String CALL_BACK =
      """
      UPDATE scheduled_tasks SET execution_time = CURRENT_TIMESTAMP, picked = FALSE, picked_by = NULL,
        last_heartbeat = NULL, version = version + 1
      WHERE task_name = ?
        AND (execution_time > CURRENT_TIMESTAMP + CAST(? AS BIGINT) * INTERVAL '1' SECOND
          OR last_heartbeat > CURRENT_TIMESTAMP + INTERVAL '2' MINUTE)
      """;

  private static final Duration AHEAD = Duration.ofMinutes(2);

  private final AwaitedDatabase database;
  private final String node;
  private final List<RecurringTask> tasks;
  private final ScheduleSettings schedule;
  private final Clock clock;

  /** A chain that does not answer leaves a thread to the tasks of others. */
  private final Map<String, Semaphore> places = new ConcurrentHashMap<>();

  private final UninterruptiblePool starter = new UninterruptiblePool("reconciler-starter", 1);
  private @Nullable Scheduler scheduler;
  private boolean closed;
  private volatile boolean resting;

  /**
   * Makes a reconciler that rests until {@link #start}.
   *
   * @param database the ledger's, whose schema has been applied; stays the caller's to close
   * @param node this node's name among those that share the database
   */
  public Reconciler(
      DataSource database, String node, List<RecurringTask> tasks, ScheduleSettings schedule) {
    this(database, node, tasks, schedule, Clock.systemUTC());
  }

  Reconciler(
      DataSource database,
      String node,
      List<RecurringTask> tasks,
      ScheduleSettings schedule,
      Clock clock) {
    this.clock = clock;
    this.database = new AwaitedDatabase(database, schedule.polling());
    this.node = node;
    this.tasks = List.copyOf(tasks);
    this.schedule = schedule;
  }

  /** Begins after {@link ScheduleSettings#startAfter}, on a thread of its own. */
  public void start() {
    if (!tasks.isEmpty()) {
      begin(schedule.startAfter().toMillis());
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // it reports what goes wrong and tries again
  private void begin(long millis) {
    starter.schedule(this::tryToBegin, millis, TimeUnit.MILLISECONDS);
  }

  private void tryToBegin() {
    try {
      scheduleTasks();
    } catch (RuntimeException | Error e) {
      LOG.warn("The reconciler could not begin and tries again", e);
      begin(Math.max(schedule.polling().toMillis(), schedule.startAfter().toMillis()));
    }
  }

  private synchronized void scheduleTasks() {
    if (!closed && scheduler == null) {
      JdbcCustomization kind = customization();
      List<com.github.kagkarlsson.scheduler.task.helper.RecurringTask<Void>> scheduled =
          tasks.stream().map(this::task).toList();
      Scheduler made = scheduler(List.copyOf(scheduled), kind);
      // Done here because the scheduler itself would only log a failure, and never try again.
      scheduled.forEach(task -> task.onStartup(made, clock::instant));
      compareClocks(made);
      made.start();
      scheduler = made;
      compareOften(made);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // it reports what goes wrong itself
  private void compareOften(Scheduler made) {
    long millis = schedule.heartbeat().multipliedBy(MISSED_HEARTBEATS).toMillis();
    starter.scheduleWithFixedDelay(
        Daemons.guarded("Comparing clocks", () -> compareClocks(made)),
        millis,
        millis,
        TimeUnit.MILLISECONDS);
  }

  /** To a node whose clock is ahead all tasks are due: it rests. */
  private void compareClocks(Scheduler made) {
    try (Connection connection = database.getConnection()) {
      boolean ahead = isAhead(connection);
      if (ahead && !resting) {
        LOG.error("This node's clock is ahead of the database's: it does no recurring tasks");
        made.pause();
      } else if (!ahead && resting) {
        made.resume();
      }
      resting = ahead;
      if (!ahead) {
        callBack(connection);
      }
    } catch (SQLException e) {
      LOG.warn("Tasks that were put off are called back later: {}", e.toString());
    }
  }

  private boolean isAhead(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT CURRENT_TIMESTAMP");
        ResultSet row = statement.executeQuery()) {
      row.next();
      Instant theirs = row.getObject(1, OffsetDateTime.class).toInstant();
      return clock.instant().isAfter(theirs.plus(AHEAD));
    }
  }

  /** Takes back to now what a clock that was ahead has put off, or begun in a time to come. */
  private void callBack(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(CALL_BACK)) {
      for (RecurringTask task : tasks) {
        statement.setString(1, task.name());
        statement.setLong(2, task.pause().plus(AHEAD).toSeconds());
        if (statement.executeUpdate() > 0) {
          LOG.warn("The task {} was put off by a node whose clock was ahead", task.name());
        }
      }
    }
  }

  /** The scheduler takes one that it cannot ask for one of an unknown kind, so it is asked here. */
  private JdbcCustomization customization() {
    try (Connection connection = database.getConnection()) {
      String product = connection.getMetaData().getDatabaseProductName();
      return product.equals("PostgreSQL")
          ? new PostgreSqlJdbcCustomization(false, false)
          : new DefaultJdbcCustomization(false);
    } catch (SQLException e) {
      throw new IllegalStateException("the reconciler's database cannot be reached", e);
    }
  }

  private Scheduler scheduler(List<Task<?>> scheduled, JdbcCustomization kind) {
    UninterruptiblePool poller = new UninterruptiblePool("reconciler-poller", 1);
    Scheduler made =
        Scheduler.create(database, scheduled)
            .jdbcCustomization(kind)
            .clock(clock::instant)
            .schedulerName(new SchedulerName.Fixed(node))
            .pollingInterval(schedule.polling())
            .heartbeatInterval(schedule.heartbeat())
            .missedHeartbeatsLimit(MISSED_HEARTBEATS)
            .threads(schedule.threads())
            .shutdownMaxWait(schedule.stopWithin())
            .executorService(new UninterruptiblePool("reconciler", schedule.threads()))
            .housekeeperExecutor(new UninterruptiblePool("reconciler-keeper", HOUSEKEEPERS))
            .dueExecutor(poller)
            .build();
    poller.onShutdown(made::triggerCheckForDueExecutions);
    return made;
  }

  private com.github.kagkarlsson.scheduler.task.helper.RecurringTask<Void> task(
      RecurringTask task) {
    return Tasks.recurring(task.name(), FixedDelay.of(task.pause()))
        .execute((instance, context) -> run(task));
  }

  /** Where a chain's other tasks have all the threads but one, it is left for its next time. */
  private void run(RecurringTask task) {
    Optional<Semaphore> turns =
        task.network()
            .map(
                network ->
                    places.computeIfAbsent(
                        network, chain -> new Semaphore(Math.max(1, schedule.threads() - 1))));
    if (turns.isPresent() && !turns.get().tryAcquire()) {
      return;
    }
    try {
      task.work().run();
    } finally {
      turns.ifPresent(Semaphore::release);
    }
  }

  /**
   * Lets the task that is under way end, within {@link ScheduleSettings#stopWithin}, and begins no
   * other.
   */
  @Override
  public void close() {
    database.close();
    stop();
  }

  private synchronized void stop() {
    closed = true;
    starter.shutdown();
    if (scheduler != null) {
      scheduler.stop();
      scheduler = null;
    }
  }

  /**
   * The database as the scheduler has it: while it cannot be reached the scheduler's threads wait,
   * for the scheduler would log each failure with its trace. Thread-safe.
   */
  private static final class AwaitedDatabase extends ForwardingDataSource {

    private final Duration pause;
    private final AtomicBoolean away = new AtomicBoolean();
    private final CountDownLatch closing = new CountDownLatch(1);

    AwaitedDatabase(DataSource database, Duration pause) {
      super(database);
      this.pause = pause;
    }

    /** Fails only once the reconciler is closed. */
    @Override
    protected Connection open(Opening opening) throws SQLException {
      while (true) {
        try {
          Connection connection = opening.open();
          if (away.compareAndSet(true, false)) {
            LOG.warn("The database is back: recurring tasks go on");
          }
          return connection;
        } catch (SQLException e) {
          if (away.compareAndSet(false, true)) {
            LOG.warn(
                "The database cannot be reached, recurring tasks wait for it: {}", e.toString());
          }
          if (isClosedWithin(pause)) {
            throw e;
          }
        }
      }
    }

    private boolean isClosedWithin(Duration time) throws SQLException {
      try {
        return closing.await(time.toNanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new SQLException("interrupted while the database was away", e);
      }
    }

    /** Lets no thread wait any more. */
    void close() {
      closing.countDown();
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

  /**
   * Daemon threads that are never interrupted at their work, however urgently they are told to
   * stop: an interrupt amid a statement breaks an H2 file.
   */
  static final class UninterruptiblePool extends ScheduledThreadPoolExecutor {

    /** What comes too late is dropped: whatever it was, another node does it. */
    private static final RejectedExecutionHandler DROP = (task, pool) -> {};

    private volatile Runnable onShutdown = () -> {};

    UninterruptiblePool(String name, int threads) {
      super(threads, new Daemons("octroi-" + name), DROP);
      setRemoveOnCancelPolicy(true);
    }

    /** What wakes up a thread that sleeps, in place of an interrupt. */
    void onShutdown(Runnable wake) {
      onShutdown = wake;
    }

    @Override
    public void shutdown() {
      super.shutdown();
      onShutdown.run();
    }

    @Override
    public List<Runnable> shutdownNow() {
      shutdown();
      return List.of();
    }
  }
}
