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

  private final Body<T> body;

  CallWork(Body<T> body) {
    super(CompletionListener.none());
    this.body = body;
  }

  void run(Connection connection) throws SQLException {
    propose(body.run(connection));
  }

  @Override
  boolean mustRun() {
    return false;
  }
}
