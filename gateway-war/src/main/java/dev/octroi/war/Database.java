package dev.octroi.war;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.settings.DatabaseSettings;
import dev.octroi.db.H2Files;
import dev.octroi.db.Migrations;

/** Opens the ledger's database, with the schema of this version. */
final class Database {

  private Database() {}

  /** The pool is the caller's to close. */
  static HikariDataSource open(DatabaseSettings settings) {
    HikariConfig pool = new HikariConfig();
    pool.setPoolName("octroi");
    pool.setDriverClassName(driver(settings.url()));
    pool.setJdbcUrl(H2Files.ownerOnly(settings.url()));
    pool.setUsername(settings.user());
    pool.setPassword(settings.password().value());
    pool.setMaximumPoolSize(settings.poolSize());
    pool.setMinimumIdle(1);
    pool.setConnectionTimeout(settings.connectionTimeout().toMillis());
    try (HikariDataSource migrating = new HikariDataSource(pool)) {
      Migrations.apply(migrating);
      // Not before: a migration takes as long as it takes.
      pool.setDataSourceProperties(settings.driverProperties());
      return new HikariDataSource(pool);
    }
  }

  /** By name: JDBC looks for drivers when the server starts, not when an application does. */
  private static String driver(String url) {
    return url.startsWith("jdbc:postgresql:") ? "org.postgresql.Driver" : "org.h2.Driver";
  }
}
