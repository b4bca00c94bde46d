package dev.octroi.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.URI;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SessionsTest {

  private TransactionPooler pooler;
  private String address;

  @BeforeEach
  void open() throws IOException {
    URI server =
        URI.create(PostgresServer.require().emptyDatabaseUrl().substring("jdbc:".length()));
    String database = server.getPath().substring(1);
    pooler = new TransactionPooler(server.getPort(), "postgres", database);
    address = "jdbc:postgresql://127.0.0.1:" + pooler.port() + "/" + database;
  }

  @AfterEach
  void close() throws IOException {
    pooler.close();
  }

  private static HikariDataSource pool(String address, boolean autoCommit) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(address);
    config.setUsername("postgres");
    config.setMaximumPoolSize(3);
    config.setAutoCommit(autoCommit);
    return new HikariDataSource(config);
  }

  @Test
  void aPoolerThatLendsSessionsIsRefusedBeforeTheSchemaIsTouched() {
    for (boolean autoCommit : new boolean[] {true, false}) {
      try (HikariDataSource database = pool(address, autoCommit)) {
        assertThatThrownBy(() -> Migrations.apply(database))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("prepareThreshold=0")
            .hasRootCauseInstanceOf(SQLException.class);
      }
    }
  }

  @Test
  void withoutPreparedStatementsItServes() {
    try (HikariDataSource database = pool(address + "?prepareThreshold=0", true)) {
      Migrations.apply(database);

      assertThat(Migrations.verify(database).isCurrent()).isTrue();
    }
  }

  @Test
  void aSchemaOfItsOwnNeedsASessionOfItsOwn() {
    try (HikariDataSource database = pool(address + "?prepareThreshold=0", true)) {
      DataSource own = OwnSchema.of(database, "octroi");

      assertThatThrownBy(() -> Migrations.apply(own))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("as OwnSchema needs");
    }
  }

  @Test
  void theServerItselfKeepsSessions() {
    DataSource blank = PostgresServer.require().blankDatabase();

    assertThatCode(() -> Sessions.require(blank)).doesNotThrowAnyException();
    assertThatCode(() -> Sessions.require(OwnSchema.of(blank, "octroi")))
        .doesNotThrowAnyException();
  }
}
