package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.PostgresServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurabilityTest {

  @TempDir private Path folder;

  private static HikariDataSource pool(String url) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    pool.setMaximumPoolSize(1);
    return pool;
  }

  @Test
  void aPostgresThatAcknowledgesBeforeItsDiskHasItIsNamed() {
    String url = PostgresServer.require().emptyDatabaseUrl();
    for (String commits : new String[] {"off", "local", "on", "remote_apply"}) {
      try (HikariDataSource database = pool(url)) {
        database.setConnectionInitSql("SET synchronous_commit = " + commits);

        assertThat(Durability.problem(database).orElse(""))
            .as(commits)
            .matches(commits.equals("off") ? ".*synchronous_commit to on.*" : "");
      }
    }
  }

  @Test
  void anH2FileThatIsWrittenLaterIsNamed() {
    String url = "jdbc:h2:" + folder.resolve("books");
    try (HikariDataSource database = pool(url)) {
      assertThat(Durability.problem(database).orElse("")).contains("WRITE_DELAY=0");
    }
    try (HikariDataSource database = pool(url + ";WRITE_DELAY=0")) {
      assertThat(Durability.problem(database)).isEmpty();
    }
  }
}
