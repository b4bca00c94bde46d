package dev.octroi.payments.ledger.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.PostgresServer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database of the tests' PostgreSQL; skips the test where that cannot be started. */
final class PostgresTestDatabase implements TestDatabase {

  private @Nullable HikariDataSource pool;

  @Override
  public DataSource open() {
    pool = PostgresServer.require().emptyDatabase();
    return pool;
  }

  @Override
  public void close() {
    if (pool != null) {
      pool.close();
    }
  }
}
