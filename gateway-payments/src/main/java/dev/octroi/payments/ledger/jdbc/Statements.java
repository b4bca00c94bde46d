package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.ledger.LedgerUnavailable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Runs the statements of other stores where the ledger's own run: on its writer threads, which are
 * never interrupted and take no part in a host's transactions, sharing its commits. Thread-safe.
 */
public final class Statements {

  /**
   * Statements whose effect and result hold once the transaction has committed. They may be run
   * again after a commit of unknown outcome, and they neither wait nor leave the handle to others.
   */
  @FunctionalInterface
  public interface Body<T> {
    T run(Handle handle) throws SQLException;
  }

  /** The connection of the batch that the thread writes. */
  private static final ThreadLocal<Connection> CURRENT = new ThreadLocal<>();

  /** One for all batches: it parses each statement once, not at each call on a writer's thread. */
  private final Jdbi database = NamedStatements.of(new BatchConnections());

  private final Writers writers;
  private final Duration deadline;

  Statements(Writers writers, Duration deadline) {
    this.writers = writers;
    this.deadline = deadline;
  }

  /**
   * Runs and commits.
   *
   * @throws LedgerUnavailable if it failed or did not end in time
   */
  public <T> T run(Body<T> body) {
    return onConnection(connection -> run(connection, body));
  }

  private <T> T run(Connection connection, Body<T> body) throws SQLException {
    CURRENT.set(connection);
    try {
      // The handle is left open: closing it would roll back the whole batch.
      return body.run(database.open());
    } finally {
      CURRENT.remove();
    }
  }

  /** The same for statements that are prepared by hand. */
  <T> T onConnection(CallWork.Body<T> body) {
    return ended(new CallWork<>(body));
  }

  /** The same for what a second run would do a second time. */
  <T> T onConnection(CallWork.RepeatedBody<T> body) {
    return ended(new CallWork<>(body));
  }

  private <T> T ended(CallWork<T> work) {
    writers.submit(work);
    return work.await(deadline.toNanos());
  }

  /** Hands out the batch's connection, which ends with the batch. */
  private static final class BatchConnections implements ConnectionFactory {

    @Override
    public Connection openConnection() {
      return Objects.requireNonNull(CURRENT.get());
    }

    @Override
    public void closeConnection(Connection connection) {}
  }
}
