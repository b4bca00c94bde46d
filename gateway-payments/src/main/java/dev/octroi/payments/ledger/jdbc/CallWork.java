package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.jdbc.Work.CompletionListener;
import java.sql.Connection;
import java.sql.SQLException;

/** Any statements that must run on a writer's thread, in a transaction shared with others. */
final class CallWork<T> extends Work<T> {

  /** Statements whose effect and result hold once the transaction has committed. */
  @FunctionalInterface
  interface Body<T> {
    T run(Connection connection) throws SQLException;
  }

  /** The same for what a second run would do a second time. */
  @FunctionalInterface
  interface RepeatedBody<T> {

    /**
     * @param again whether an earlier try may have been committed without our knowing: what it did
     *     is looked for under the locks under which it is done
     */
    T run(Connection connection, boolean again) throws SQLException;
  }

  private final RepeatedBody<T> body;

  CallWork(Body<T> body) {
    this((connection, again) -> body.run(connection));
  }

  CallWork(RepeatedBody<T> body) {
    super(CompletionListener.none());
    this.body = body;
  }

  void run(Connection connection) throws SQLException {
    propose(body.run(connection, isRetry()));
  }

  @Override
  boolean mustRun() {
    return false;
  }
}
