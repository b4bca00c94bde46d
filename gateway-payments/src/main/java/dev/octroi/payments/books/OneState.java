package dev.octroi.payments.books;

import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/**
 * How a transaction reads one state of all tables throughout, while payments and closings go on.
 */
final class OneState {

  /**
   * PostgreSQL does so from REPEATABLE READ on, and asks no more of a transaction that only reads.
   * H2 takes a table's state there when the table is first read: a payment whose doubt ends in
   * between stands in doubt and in no list of doubts.
   */
  static final TransactionIsolationLevel LEVEL = TransactionIsolationLevel.SERIALIZABLE;

  private OneState() {}
}
