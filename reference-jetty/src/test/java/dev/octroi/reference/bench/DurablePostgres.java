package dev.octroi.reference.bench;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * A PostgreSQL that syncs every commit to the disk, which the embedded one does not do unless told:
 * a claim that is not durable is cheap and worth nothing. It can count its statements ({@code
 * pg_stat_statements}).
 */
public final class DurablePostgres {

  private static final List<String> DURABLE = List.of("fsync", "synchronous_commit");

  private DurablePostgres() {}

  /**
   * Prints the JDBC address and runs until the process is ended.
   *
   * @param arguments the names of more databases to create
   */
  public static void main(String[] arguments)
      throws IOException, SQLException, InterruptedException {
    EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder();
    DURABLE.forEach(setting -> builder.setServerConfig(setting, "on"));
    builder.setServerConfig("shared_preload_libraries", "pg_stat_statements");
    try (EmbeddedPostgres postgres = builder.start()) {
      requireDurable(postgres);
      create(postgres, arguments);
      System.out.println("ready on " + postgres.getJdbcUrl("postgres", "postgres"));
      Thread.currentThread().join();
    }
  }

  private static void create(EmbeddedPostgres postgres, String... names) throws SQLException {
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      for (String name : names) {
        statement.execute("CREATE DATABASE " + name);
      }
    }
  }

  private static void requireDurable(EmbeddedPostgres postgres) throws SQLException {
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      for (String setting : DURABLE) {
        try (ResultSet value = statement.executeQuery("SHOW " + setting)) {
          if (!value.next() || !value.getString(1).equals("on")) {
            throw new IllegalStateException(setting + " is off");
          }
        }
      }
    }
  }
}
