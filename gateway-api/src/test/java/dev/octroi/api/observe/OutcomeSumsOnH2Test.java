package dev.octroi.api.observe;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.H2Database;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;

class OutcomeSumsOnH2Test extends OutcomeSumsContract {

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
