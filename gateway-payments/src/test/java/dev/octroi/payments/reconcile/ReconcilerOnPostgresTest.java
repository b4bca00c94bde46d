package dev.octroi.payments.reconcile;

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
    pool = PostgresServer.require().emptyDatabase();
    return pool;
  }

  @Override
  void closeDatabase() {
    pool.close();
  }
}
