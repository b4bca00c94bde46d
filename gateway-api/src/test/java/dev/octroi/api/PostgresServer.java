package dev.octroi.api;

import dev.octroi.db.Migrations;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;

/** The one PostgreSQL of this JVM; it ends with it, and so does what it holds: it never syncs. */
public final class PostgresServer {

  private static final class Holder {
    private static final Object SERVER = start();

    private static Object start() {
      try {
        return EmbeddedPostgres.builder().setServerConfig("fsync", "off").start();
      } catch (IOException | RuntimeException e) {
        return e;
      }
    }
  }

  private PostgresServer() {}

  /**
   * A new database with the schema and nothing in it; skips the test with the reason where no
   * server can be started.
   */
  public static DataSource emptyDatabase() {
    if (!(Holder.SERVER instanceof EmbeddedPostgres server)) {
      return Assumptions.abort("no PostgreSQL can be started here: " + Holder.SERVER);
    }
    String name = "octroi_" + UUID.randomUUID().toString().replace('-', '_');
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    DataSource database = server.getDatabase("postgres", name);
    Migrations.apply(database);
    return database;
  }
}
