package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.ledger.LedgerUnavailable;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.SqlStatements;

/**
 * Reads the ledger's database beside the ledger's own statements, which do not wait for it.
 * Thread-safe.
 */
public final class LedgerReads {

  private static final int TIMEOUT_SECONDS = 10;

  private final Jdbi database;

  public LedgerReads(DataSource database) {
    this.database = NamedStatements.of(SingleWriter.reading(database));
    this.database.getConfig(SqlStatements.class).setQueryTimeout(TIMEOUT_SECONDS);
  }

  /** What is read on one connection. */
  @FunctionalInterface
  public interface Body<T> {
    T of(Handle handle);
  }

  /**
   * Reads.
   *
   * @throws LedgerUnavailable if the database fails, or a statement does not end in ten seconds
   */
  public <T> T read(Body<T> body) {
    try {
      return database.withHandle(body::of);
    } catch (JdbiException e) {
      throw new LedgerUnavailable("the ledger's database cannot be read", e);
    }
  }
}
