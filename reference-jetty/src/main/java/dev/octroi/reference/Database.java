package dev.octroi.reference;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.settings.DatabaseSettings;
import dev.octroi.db.H2Files;
import dev.octroi.db.Migrations;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The database with the schema of this version, which is opened while other parts of a gateway
 * start. Thread-safe.
 */
final class Database implements AutoCloseable {

  private final CompletableFuture<HikariDataSource> source;

  private Database(CompletableFuture<HikariDataSource> source) {
    this.source = source;
  }

  /** Begins to open it. */
  static Database open(DatabaseSettings settings) {
    return new Database(
        CompletableFuture.supplyAsync(
            () -> migrated(settings), task -> new Thread(task, "octroi-database").start()));
  }

  /** Waits until it is open; throws what kept it from being opened. */
  HikariDataSource source() {
    try {
      return source.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private static HikariDataSource migrated(DatabaseSettings settings) {
    HikariConfig pool = pool(settings);
    // The driver tells why it cannot connect. The pool would log that with its trace.
    try {
      Connection first =
          DriverManager.getConnection(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword());
      try (HikariDataSource migrating = new HikariDataSource(pool)) {
        Migrations.apply(migrating);
        // Not before: a migration takes as long as it takes.
        pool.setDataSourceProperties(settings.driverProperties());
        return new HikariDataSource(pool);
      } finally {
        first.close();
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the database cannot be opened", e);
    }
  }

  private static HikariConfig pool(DatabaseSettings settings) {
    HikariConfig pool = new HikariConfig();
    pool.setPoolName("octroi");
    pool.setJdbcUrl(H2Files.ownerOnly(settings.url()));
    pool.setUsername(settings.user());
    pool.setPassword(settings.password().value());
    pool.setMaximumPoolSize(settings.poolSize());
    pool.setMinimumIdle(1);
    pool.setConnectionTimeout(settings.connectionTimeout().toMillis());
    return pool;
  }

  /** Closes it, when it has been opened. */
  @Override
  public void close() {
    source.thenAccept(HikariDataSource::close).exceptionally(neverOpened -> null).join();
  }
}
