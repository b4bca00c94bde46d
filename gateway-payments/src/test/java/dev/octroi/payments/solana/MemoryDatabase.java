package dev.octroi.payments.solana;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.H2Schema;
import java.util.UUID;
import javax.sql.DataSource;

/** H2 in memory, which is gone with its last connection. */
final class MemoryDatabase {

  private MemoryDatabase() {}

  static DataSource empty() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    config.setMaximumPoolSize(4);
    HikariDataSource pool = new HikariDataSource(config);
    H2Schema.copyTo(pool);
    return pool;
  }
}
