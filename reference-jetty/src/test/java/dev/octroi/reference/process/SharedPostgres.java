package dev.octroi.reference.process;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** A PostgreSQL that gateway processes share. */
final class SharedPostgres implements AutoCloseable {

  private static final String USER = "postgres";
  private static final String USUAL = "postgres";

  private final EmbeddedPostgres server;

  private SharedPostgres(EmbeddedPostgres server) {
    this.server = server;
  }

  /** Starts one; skips the test with the reason where that cannot be. */
  static SharedPostgres start() {
    try {
      return new SharedPostgres(
          EmbeddedPostgres.builder()
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("fsync", "off")
              .start());
    } catch (IOException | RuntimeException e) {
      return Assumptions.abort("no PostgreSQL can be started here: " + e);
    }
  }

  /** The jar, keeping its books here. */
  BuiltJar under(BuiltJar jar) {
    return under(jar, USUAL);
  }

  /** The same in another of its databases. */
  BuiltJar under(BuiltJar jar, String database) {
    return jar.set("gateway.database.url", url(database)).set("gateway.database.user", USER);
  }

  /** The same as a user of another name, whom the address does not name. */
  BuiltJar underAs(BuiltJar jar, String user) {
    return jar.set("gateway.database.url", url(USUAL).replaceAll("[?].*", ""))
        .set("gateway.database.user", user);
  }

  LedgerTables tables() throws SQLException {
    return tables(USUAL);
  }

  LedgerTables tables(String database) throws SQLException {
    return LedgerTables.at(url(database), USER);
  }

  /** Statements of a client that is no gateway. */
  void change(List<String> statements) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      for (String one : statements) {
        statement.execute(one);
      }
    }
  }

  /** The address of the usual database for PostgreSQL's own programs. */
  String address() {
    return address(USUAL);
  }

  String address(String database) {
    return "postgresql://" + USER + "@127.0.0.1:" + server.getPort() + "/" + database;
  }

  /** The address of the usual database for gateways. */
  String jdbcUrl() {
    return url(USUAL);
  }

  /** The version of the server, such as 17. */
  int version() throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection()) {
      return connection.getMetaData().getDatabaseMajorVersion();
    }
  }

  private String url(String database) {
    return server.getJdbcUrl(USER, database);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
