package dev.octroi.payments.reconcile;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.H2Schema;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.junit.jupiter.api.io.TempDir;

class ReconcilerOnH2Test extends ReconcilerContract {

  @TempDir private Path directory;
  private HikariDataSource pool;

  @Override
  DataSource emptyDatabase() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:async:" + directory.resolve("books") + ";WRITE_DELAY=0");
    pool = new HikariDataSource(config);
    H2Schema.copyTo(pool);
    return pool;
  }

  @Override
  void closeDatabase() {
    pool.close();
  }
}
