package dev.octroi.payments.reconcile;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.PostgresServer;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;

class ReconcilerOnPostgresTest extends ReconcilerContract {

  private HikariDataSource pool;

  @BeforeAll
  static void startServer() {
    PostgresServer.require();
  }

  @Override
  DataSource emptyDatabase() {
    HikariConfig config = new HikariConfig();
    config.setDataSource(PostgresServer.require().emptyDatabase());
    pool = new HikariDataSource(config);
    return pool;
  }

  @Override
  void closeDatabase() {
    pool.close();
  }
}
