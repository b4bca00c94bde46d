package dev.octroi.payments.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The rules of money in worlds that a seed makes, one at a time on each core. As many seeds as fit
 * into twelve seconds, or as {@code -Doctroi.simulation.seeds} says; a failing one is printed and
 * replays with {@code -Doctroi.simulation.seed}.
 */
class SimulationTest {

  private static final Duration TIME = Duration.ofSeconds(12);

  /** However slow the machine is. */
  private static final long LEAST = 4;

  private final AtomicLong next = new AtomicLong();
  private final long end = System.nanoTime() + TIME.toNanos();
  private volatile boolean over;

  @Test
  @Tag("spec:money.simulation")
  void theRulesOfMoneyHoldInEverySimulatedWorld() throws Exception {
    Long one = Long.getLong("octroi.simulation.seed");
    if (one != null) {
      try (Books books = new Books()) {
        Simulation.run(books, one);
      }
      return;
    }
    long seeds = 0;
    for (Future<Long> run : onEachCore(this::worlds)) {
      seeds += run.get();
    }
    System.getLogger("simulation").log(System.Logger.Level.INFO, "{0} seeds were run", seeds);
    assertThat(seeds).isGreaterThanOrEqualTo(LEAST);
  }

  private static <T> List<Future<T>> onEachCore(Callable<T> work) throws InterruptedException {
    int cores = Runtime.getRuntime().availableProcessors();
    ExecutorService pool = Executors.newFixedThreadPool(cores);
    try {
      return pool.invokeAll(Collections.nCopies(cores, work));
    } finally {
      pool.shutdown();
    }
  }

  /** How many seeds this thread has run; a thread that fails ends the others. */
  private long worlds() throws SQLException {
    long run = 0;
    try (Books books = new Books()) {
      for (long seed = next.getAndIncrement(); isWanted(seed); seed = next.getAndIncrement()) {
        Simulation.run(books, seed);
        run++;
      }
    } catch (AssertionError e) {
      over = true;
      throw e;
    }
    return run;
  }

  private boolean isWanted(long seed) {
    Long wanted = Long.getLong("octroi.simulation.seeds");
    boolean inTime = seed < LEAST || System.nanoTime() < end;
    return !over && (wanted == null ? inTime : seed < wanted);
  }
}
