package dev.octroi.war;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.settings.DatabaseSettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.db.DatabaseFault;
import dev.octroi.db.H2Files;
import dev.octroi.db.Migrations;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/** Opens the ledger's database, with the schema of this version. */
final class LedgerPool {

  private LedgerPool() {}

  /**
   * The pool is the caller's to close.
   *
   * @throws InvalidSettings with what is wrong, and what the operator changes
   */
  static HikariDataSource open(DatabaseSettings settings) {
    try {
      return migrated(settings);
    } catch (RuntimeException e) {
      throw told(e, settings);
    }
  }

  private static RuntimeException told(RuntimeException thrown, DatabaseSettings settings) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException driver) {
        DatabaseFault fault =
            DatabaseFault.of(driver, settings.url(), settings.user(), settings.password().value());
        InvalidSettings unusable =
            new InvalidSettings(List.of(fault.what() + ". " + fault.advice()));
        unusable.initCause(thrown);
        return unusable;
      }
    }
    return thrown;
  }

  private static HikariDataSource migrated(DatabaseSettings settings) {
    HikariConfig pool = new HikariConfig();
    pool.setPoolName("octroi");
    pool.setDriverClassName(driver(settings.url()));
    pool.setJdbcUrl(H2Files.ownerOnly(settings.url()));
    pool.setUsername(settings.user());
    pool.setPassword(settings.password().value());
    pool.setMaximumPoolSize(settings.poolSize());
    pool.setMinimumIdle(1);
    pool.setConnectionTimeout(settings.connectionTimeout().toMillis());
    // The driver tells why it cannot connect. The pool would log that with its trace.
    try {
      Connection first = first(pool);
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

  /** The configuration has loaded the driver already. */
  private static Connection first(HikariConfig pool) throws SQLException {
    return DriverManager.getConnection(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword());
  }

  /** By name: JDBC looks for drivers when the server starts, not when an application does. */
  private static String driver(String url) {
    return url.startsWith("jdbc:postgresql:") ? "org.postgresql.Driver" : "org.h2.Driver";
  }
}
