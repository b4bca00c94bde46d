package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.jdbc.SingleWriter.ExclusiveConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatements;

/**
 * Reads the ledger's database beside the ledger's own statements, which do not wait for it.
 * Thread-safe.
 */
public final class LedgerReads {

  private static final int TIMEOUT_SECONDS = 10;

  /** Less than a statement may take, so that a caller hears soon that others do not end. */
  private static final int TURN_SECONDS = 5;

  /** Each is a thread of the server. */
  private static final int MOST_WAITING = 16;

  /** Rows at a time of those that are read bit by bit. */
  private static final int FETCHED = 1_000;

  private final Jdbi database;

  public LedgerReads(DataSource database) {
    this.database = NamedStatements.of(SingleWriter.reading(database));
    this.database.getConfig(SqlStatements.class).setQueryTimeout(TIMEOUT_SECONDS);
  }

  /**
   * The database for reads that may take long, all of them together: they leave the other
   * connections to payments. A read waits a moment for its turn.
   *
   * @param most how many connections they have at a time
   * @param refusal what is thrown where no turn comes, or many wait for theirs
   */
  public static DataSource few(
      DataSource database, int most, Supplier<? extends RuntimeException> refusal) {
    Semaphore turns = new Semaphore(most, true);
    return new ForwardingDataSource(SingleWriter.reading(database)) {
      @Override
      protected Connection open(Opening opening) throws SQLException {
        if (!comes(turns)) {
          throw refusal.get();
        }
        return ExclusiveConnection.of(opening, closing -> {}, turns::release);
      }
    };
  }

  private static boolean comes(Semaphore turns) {
    try {
      return turns.getQueueLength() < MOST_WAITING
          && turns.tryAcquire(TURN_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
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

  /**
   * Reads rows bit by bit, since there may be very many.
   *
   * @throws LedgerUnavailable as {@link #read} does
   */
  public <T> void each(Body<Query> query, RowMapper<T> row, Consumer<T> reader) {
    boolean unused =
        read(
            handle ->
                handle.inTransaction(
                    one -> {
                      query.of(one).setFetchSize(FETCHED).map(row).forEach(reader);
                      return true;
                    }));
  }
}
