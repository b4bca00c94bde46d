package dev.octroi.payments.books;

import java.sql.DatabaseMetaData;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/**
 * How a transaction reads one state of all tables throughout, while calls go on. PostgreSQL does so
 * from REPEATABLE READ on; H2 takes a table's state there when the table is first read.
 */
final class OneState {

  private OneState() {}

  static TransactionIsolationLevel of(Jdbi database) {
    String product =
        database.withHandle(
            handle -> handle.queryMetadata(DatabaseMetaData::getDatabaseProductName));
    return product.equals("H2")
        ? TransactionIsolationLevel.SERIALIZABLE
        : TransactionIsolationLevel.REPEATABLE_READ;
  }
}
