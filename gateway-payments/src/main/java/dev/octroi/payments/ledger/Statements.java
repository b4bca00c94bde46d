package dev.octroi.payments.ledger;

import java.sql.SQLException;
import java.time.Duration;
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
    // The handle is left open: closing it would close the connection of the whole batch.
    return onConnection(connection -> body.run(Jdbi.open(connection)));
  }

  /** The same for statements that are prepared by hand. */
  <T> T onConnection(CallWork.Body<T> body) {
    CallWork<T> work = new CallWork<>(body);
    writers.submit(work);
    return work.await(deadline.toNanos());
  }
}
