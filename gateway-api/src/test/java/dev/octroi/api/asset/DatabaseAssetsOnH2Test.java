package dev.octroi.api.asset;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.H2Database;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;

class DatabaseAssetsOnH2Test extends DatabaseAssetsContract {

  private HikariDataSource pool;

  @Override
  DataSource database() {
    pool = H2Database.empty();
    return pool;
  }

  @AfterEach
  @Override
  void close() {
    super.close();
    pool.close();
  }
}
