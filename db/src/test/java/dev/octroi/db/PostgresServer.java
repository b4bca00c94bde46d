package dev.octroi.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;

/** The one PostgreSQL of this JVM; it ends with it, and so does what it holds: it never syncs. */
public final class PostgresServer {

  private static final class Holder {
    private static final Object SERVER = start();

    private static Object start() {
      try {
        Path folder = ServerFolder.made();
        EmbeddedPostgres server =
            EmbeddedPostgres.builder()
                .setServerConfig("fsync", "off")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("max_wal_size", "128MB")
                .setDataDirectory(folder)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(server, folder)));
        return new PostgresServer(server);
      } catch (IOException | RuntimeException e) {
        return e;
      }
    }

    private static void end(EmbeddedPostgres server, Path folder) {
      try {
        server.close();
        ServerFolder.delete(folder);
      } catch (IOException e) {
        System.out.println("PostgreSQL left files in " + folder + ": " + e);
      }
    }
  }

  /** Migrated once and copied for each test, file by file, which takes a tenth of the time. */
  private static final String TEMPLATE = "octroi_template";

  private final EmbeddedPostgres server;

  private PostgresServer(EmbeddedPostgres server) {
    this.server = server;
    Migrations.apply(create(TEMPLATE, "template0"));
  }

  /** The server; skips the test with the reason where none can be started. */
  public static PostgresServer require() {
    return Holder.SERVER instanceof PostgresServer running
        ? running
        : Assumptions.abort("no PostgreSQL can be started here: " + Holder.SERVER);
  }

  /** A new database with the schema and nothing in it. */
  public HikariDataSource emptyDatabase() {
    return pooled(create(freshName(), TEMPLATE));
  }

  /**
   * Connections are opened as they are needed, which costs PostgreSQL a process each, and all but
   * one are closed soon after: a test that leaves its pool open takes little from those after it.
   */
  private static HikariDataSource pooled(DataSource database) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database);
    config.setMaximumPoolSize(20);
    config.setMinimumIdle(1);
    config.setIdleTimeout(Duration.ofSeconds(10).toMillis());
    return new HikariDataSource(config);
  }

  private static String freshName() {
    return "octroi_" + UUID.randomUUID().toString().replace('-', '_');
  }

  /** A new database with nothing in it at all. */
  DataSource blankDatabase() {
    return create(freshName(), "template0");
  }

  /** The address of a new database with the schema, for another process. */
  public String emptyDatabaseUrl() {
    String name = freshName();
    DataSource unused = create(name, TEMPLATE);
    return server.getJdbcUrl("postgres", name);
  }

  private DataSource create(String name, String template) {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE DATABASE " + name + " TEMPLATE " + template + " STRATEGY FILE_COPY");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return server.getDatabase("postgres", name);
  }
}
