package dev.octroi.payments.books;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.PostgresServer;
import java.sql.Connection;
import org.junit.jupiter.api.Test;

class BookReadsTest {

  /** The books read for minutes; the next user of the connection has the pool's deadline again. */
  @Test
  void aPoolsDeadlineForAnswersIsNotTheBooks() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(PostgresServer.require().emptyDatabaseUrl());
    config.setMaximumPoolSize(1);
    config.addDataSourceProperty("socketTimeout", "60");
    try (HikariDataSource pool = new HikariDataSource(config)) {
      int books =
          BookReads.of(pool).withHandle(handle -> handle.getConnection().getNetworkTimeout());

      assertThat(books).isEqualTo(630_000);
      try (Connection next = pool.getConnection()) {
        assertThat(next.getNetworkTimeout()).isEqualTo(60_000);
      }
    }
  }
}
