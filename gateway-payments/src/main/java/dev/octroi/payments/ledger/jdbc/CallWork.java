package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.jdbc.Work.CompletionListener;
import java.sql.Connection;
import java.sql.SQLException;

/** Any statements that must run on a writer's thread, in a transaction shared with others. */
final class CallWork<T> extends Work<T> {

  /** See {@link Statements}. */
  @FunctionalInterface
  interface Body<T> {

    /**
     * @param again whether an earlier try may have been committed without our knowing
     */
    T run(Connection connection, boolean again) throws SQLException;
  }

  private final Body<T> body;

  CallWork(Body<T> body) {
    super(CompletionListener.none());
    this.body = body;
  }

  void run(Connection connection) throws SQLException {
    propose(body.run(connection, isRetry()));
  }
}
