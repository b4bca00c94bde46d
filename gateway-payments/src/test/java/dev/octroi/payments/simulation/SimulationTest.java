package dev.octroi.payments.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The rules of money in worlds that a seed makes. As many seeds as fit into twelve seconds, or as
 * {@code -Doctroi.simulation.seeds} says; a failing one is printed and replays with {@code
 * -Doctroi.simulation.seed}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SimulationTest {

  private static final long TIME = Duration.ofSeconds(12).toNanos();

  private Books books;

  @BeforeAll
  void open() throws SQLException {
    books = new Books();
  }

  @AfterAll
  void close() throws SQLException {
    books.close();
  }

  @Test
  @Tag("spec:money.simulation")
  void theRulesOfMoneyHoldInEverySimulatedWorld() {
    Long one = Long.getLong("octroi.simulation.seed");
    if (one != null) {
      Simulation.run(books, one);
      return;
    }
    Long wanted = Long.getLong("octroi.simulation.seeds");
    long end = System.nanoTime() + TIME;
    long seed = 0;
    while (wanted == null ? System.nanoTime() < end : seed < wanted) {
      Simulation.run(books, seed++);
    }
    System.getLogger("simulation").log(System.Logger.Level.INFO, "{0} seeds were run", seed);
    assertThat(seed).isPositive();
  }
}
