package dev.octroi.api.image;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.Migrations;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;

class ImageJobsOnH2Test extends ImageJobsContract {

  private HikariDataSource pool;

  @Override
  DataSource database() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    pool = new HikariDataSource(config);
    Migrations.apply(pool);
    return pool;
  }

  @AfterEach
  @Override
  void close() {
    super.close();
    pool.close();
  }
}
