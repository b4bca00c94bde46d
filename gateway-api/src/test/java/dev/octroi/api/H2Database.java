package dev.octroi.api;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.H2Schema;
import java.util.UUID;

/** H2 in memory, for tests that need no other. */
public final class H2Database {

  private static final int POOL = 8;

  private H2Database() {}

  /** A new database with the schema and nothing in it, which is the caller's to close. */
  public static HikariDataSource empty() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;WRITE_DELAY=0");
    config.setMaximumPoolSize(POOL);
    HikariDataSource pool = new HikariDataSource(config);
    H2Schema.copyTo(pool);
    return pool;
  }
}
