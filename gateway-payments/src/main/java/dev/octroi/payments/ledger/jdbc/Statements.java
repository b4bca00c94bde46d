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

  /** The same for what a second run would do a second time. */
  @FunctionalInterface
  interface RepeatedBody<T> {

    /**
     * @param again whether an earlier try may have been committed without our knowing: what it did
     *     is looked for under the locks under which it is done
     */
    T run(Handle handle, boolean again) throws SQLException;
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
    return run((handle, again) -> body.run(handle));
  }

  /** The same for what a second run would do a second time. */
  <T> T run(RepeatedBody<T> body) {
    CallWork<T> work = new CallWork<>((connection, again) -> run(connection, again, body));
    writers.submit(work);
    return work.await(deadline.toNanos());
  }

  private <T> T run(Connection connection, boolean again, RepeatedBody<T> body)
      throws SQLException {
    CURRENT.set(connection);
    try {
      // The handle is left open: closing it would roll back the whole batch.
      return body.run(database.open(), again);
    } finally {
      CURRENT.remove();
    }
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
