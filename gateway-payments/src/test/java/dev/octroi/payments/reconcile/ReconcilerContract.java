package dev.octroi.payments.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.reconcile.Reconciler.ScheduleSettings;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** How nodes share recurring tasks on one database. */
abstract class ReconcilerContract {

  private static final ScheduleSettings QUICK =
      new ScheduleSettings(
          Duration.ZERO, Duration.ofMillis(50), Duration.ofMillis(100), 2, Duration.ofSeconds(5));

  private final List<Reconciler> reconcilers = new ArrayList<>();
  private DataSource database;

  abstract DataSource emptyDatabase();

  abstract void closeDatabase();

  @BeforeEach
  void open() {
    database = emptyDatabase();
  }

  @AfterEach
  void close() {
    reconcilers.forEach(Reconciler::close);
    closeDatabase();
  }

  private Reconciler started(String node, RecurringTask... tasks) {
    return started(database, node, tasks);
  }

  private Reconciler started(DataSource on, String node, RecurringTask... tasks) {
    Reconciler reconciler = new Reconciler(on, node, List.of(tasks), QUICK);
    reconcilers.add(reconciler);
    reconciler.start();
    return reconciler;
  }

  private static RecurringTask task(Runnable work) {
    return new RecurringTask("test", Duration.ofMillis(100), work);
  }

  @Test
  @Tag("spec:money.tasks")
  void aTaskIsDoneAgainAndAgainByOneNodeAtATime() {
    AtomicInteger runs = new AtomicInteger();
    AtomicInteger busy = new AtomicInteger();
    AtomicBoolean together = new AtomicBoolean();
    Runnable work =
        () -> {
          together.compareAndSet(false, busy.incrementAndGet() > 1);
          runs.incrementAndGet();
          busy.decrementAndGet();
        };

    started("a", task(work));
    started("b", task(work));

    await().until(() -> runs.get() > 5);
    assertThat(together).isFalse();
  }

  @Test
  void aChainThatDoesNotAnswerHoldsUpNoTaskOfOthers() {
    CountDownLatch answer = new CountDownLatch(1);
    AtomicInteger stuck = new AtomicInteger();
    AtomicInteger runs = new AtomicInteger();
    Runnable asking =
        () -> {
          stuck.incrementAndGet();
          waitFor(answer);
        };
    Duration pause = Duration.ofMillis(100);

    started(
        "a",
        new RecurringTask("follow", pause, asking, Optional.of("eip155:1")),
        new RecurringTask("refunds", pause, asking, Optional.of("eip155:1")),
        new RecurringTask("claims", pause, asking, Optional.of("eip155:1")),
        new RecurringTask("other", pause, runs::incrementAndGet, Optional.of("eip155:8453")));

    await().until(() -> stuck.get() > 0);
    await().pollDelay(Duration.ofSeconds(1)).until(() -> stuck.get() > 0);
    int before = runs.get();
    await().until(() -> runs.get() > before + 2);
    answer.countDown();
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @Tag("spec:money.tasks")
  void aNodeWhoseClockIsAheadLeavesTheTasksToOthers() {
    AtomicInteger wrong = new AtomicInteger();
    AtomicInteger right = new AtomicInteger();
    Clock tomorrow = Clock.offset(Clock.systemUTC(), Duration.ofDays(1));
    Reconciler early =
        new Reconciler(database, "b", List.of(task(wrong::incrementAndGet)), QUICK, tomorrow);
    reconcilers.add(early);
    early.start();

    started("a", task(right::incrementAndGet));

    await().until(() -> right.get() > 5);
    assertThat(wrong).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "execution_time = CURRENT_TIMESTAMP + INTERVAL '1' DAY",
        "picked = TRUE, picked_by = 'gone', last_heartbeat = CURRENT_TIMESTAMP + INTERVAL '1' DAY"
      })
  @Tag("spec:money.tasks")
  void aTaskIsDoneAlthoughANodeWhoseClockWasAheadHasHadIt(String left) {
    AtomicInteger runs = new AtomicInteger();
    started("a", task(runs::incrementAndGet));
    Jdbi jdbi = Jdbi.create(database);
    String change = "UPDATE scheduled_tasks SET version = version + 1, " + left;

    await()
        .until(() -> jdbi.withHandle(handle -> handle.execute(change + " WHERE NOT picked")) == 1);

    int before = runs.get();
    await().until(() -> runs.get() > before + 2);
  }

  @Test
  void aTaskThatFailsIsTriedAgain() {
    AtomicInteger runs = new AtomicInteger();

    started(
        "a",
        task(
            () -> {
              if (runs.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
              }
            }));

    await().until(() -> runs.get() > 4);
  }

  @Test
  @Tag("spec:money.tasks")
  void aTaskThatADeadNodeWasDoingIsTakenOver() {
    Instant longAgo = Instant.now().minusSeconds(600);
    NamedStatements.of(database)
        .useHandle(
            handle ->
                handle
                    .createUpdate(
                        """
                        INSERT INTO scheduled_tasks (task_name, task_instance, execution_time, picked,
                          picked_by, last_heartbeat, version)
                        VALUES ('test', 'recurring', :then, TRUE, 'dead', :then, 1)
                        """)
                    .bind("then", longAgo.atOffset(ZoneOffset.UTC))
                    .execute());
    AtomicInteger runs = new AtomicInteger();

    started("b", task(runs::incrementAndGet));

    await().until(() -> runs.get() > 1);
  }

  @Test
  void anotherNodeGoesOnWhenOneStops() {
    AtomicInteger runs = new AtomicInteger();
    Reconciler first = started("a", task(runs::incrementAndGet));
    await().until(() -> runs.get() > 1);
    started("b", task(runs::incrementAndGet));

    first.close();

    int before = runs.get();
    await().until(() -> runs.get() > before + 2);
  }

  @Test
  @Tag("spec:money.own_threads")
  void stoppingInterruptsNoTaskHoweverLongItTakes() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch stopping = new CountDownLatch(1);
    AtomicBoolean ended = new AtomicBoolean();
    AtomicBoolean interrupted = new AtomicBoolean();
    RecurringTask endless =
        task(
            () -> {
              begun.countDown();
              try {
                stopping.await();
              } catch (InterruptedException e) {
                interrupted.set(true);
              }
              ended.set(true);
            });
    ScheduleSettings impatient =
        new ScheduleSettings(
            Duration.ZERO, QUICK.polling(), QUICK.heartbeat(), 1, Duration.ofMillis(100));
    Reconciler reconciler = new Reconciler(database, "a", List.of(endless), impatient);
    reconciler.start();
    begun.await();

    reconciler.close();

    assertThat(ended).isFalse();
    stopping.countDown();
    await().untilTrue(ended);
    assertThat(interrupted).isFalse();
  }

  @Test
  @Tag("spec:money.own_threads")
  void stoppingInterruptsNoStatement() {
    for (int i = 0; i < 10; i++) {
      AtomicInteger interrupts = new AtomicInteger();
      AtomicInteger statements = new AtomicInteger();
      DataSource watched = watched(statements, interrupts);
      Reconciler reconciler = started(watched, "a", task(() -> {}));
      int enough = 3 + i;
      await().pollInterval(Duration.ofMillis(5)).until(() -> statements.get() > enough);

      reconciler.close();

      assertThat(interrupts).hasValue(0);
    }
  }

  /** Counts connections that are asked for or given back by a thread that was interrupted. */
  private DataSource watched(AtomicInteger connections, AtomicInteger interrupts) {
    return (DataSource)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              connections.incrementAndGet();
              if (Thread.currentThread().isInterrupted()) {
                interrupts.incrementAndGet();
              }
              return database.getConnection();
            });
  }

  @Test
  void aDatabaseThatCannotBeReachedAtFirstIsTriedAgain() {
    AtomicInteger tries = new AtomicInteger();
    DataSource late =
        (DataSource)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                  if (tries.incrementAndGet() < 3) {
                    throw new SQLException("not yet");
                  }
                  return database.getConnection();
                });
    AtomicInteger runs = new AtomicInteger();

    started(late, "a", task(runs::incrementAndGet));

    await().until(() -> runs.get() > 1);
  }

  @Test
  void aDatabaseThatGoesAndReturnsIsASentenceEach() {
    AtomicBoolean away = new AtomicBoolean();
    AtomicInteger tries = new AtomicInteger();
    DataSource leaving =
        (DataSource)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                  if (away.get()) {
                    tries.incrementAndGet();
                    throw new SQLException("away");
                  }
                  return database.getConnection();
                });
    AtomicInteger runs = new AtomicInteger();
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger ours = (Logger) LoggerFactory.getLogger(Reconciler.class);
    Logger theirs = (Logger) LoggerFactory.getLogger("com.github.kagkarlsson.scheduler");
    log.start();
    ours.addAppender(log);
    theirs.addAppender(log);
    try {
      started(leaving, "a", task(runs::incrementAndGet));
      await().until(() -> runs.get() > 1);
      away.set(true);
      await().until(() -> tries.get() > 10);
      away.set(false);
      int before = runs.get();
      await().until(() -> runs.get() > before + 1);
    } finally {
      ours.detachAppender(log);
      theirs.detachAppender(log);
    }

    assertThat(log.list)
        .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "The database cannot be reached, recurring tasks wait for it:"
                + " java.sql.SQLException: away",
            "The database is back: recurring tasks go on");
  }

  @Test
  void whatWasClosedBeforeItBeganNeverBegins() {
    AtomicInteger runs = new AtomicInteger();
    Reconciler reconciler =
        new Reconciler(database, "a", List.of(task(runs::incrementAndGet)), QUICK);
    reconciler.close();

    reconciler.start();
    started("b", new RecurringTask("other", Duration.ofMillis(100), runs::incrementAndGet));

    await().until(() -> runs.get() > 1);
    List<String> known =
        NamedStatements.of(database)
            .withHandle(
                handle ->
                    handle
                        .createQuery("SELECT task_name FROM scheduled_tasks")
                        .mapTo(String.class)
                        .list());
    assertThat(known).containsExactly("other");
  }

  @Test
  void aTaskHasANameAndAPause() {
    assertThatThrownBy(() -> new RecurringTask(" ", Duration.ofSeconds(1), () -> {}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RecurringTask("a", Duration.ZERO, () -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
