package dev.octroi.war;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A PostgreSQL of this test's own, for servers that have a pool of connections to it. */
record BookServer(EmbeddedPostgres postgres) implements AutoCloseable {

  static final String USER = "postgres";
  static final String DATABASE = "postgres";
  static final String DRIVER = "org.postgresql.Driver";

  static BookServer start() throws IOException {
    return new BookServer(
        EmbeddedPostgres.builder().setServerConfig("synchronous_commit", "on").start());
  }

  int port() {
    return postgres.getPort();
  }

  String url() {
    return "jdbc:postgresql://127.0.0.1:" + port() + "/" + DATABASE;
  }

  /** How many connections there are besides the one that asks. */
  int connectionsOfOthers() throws SQLException {
    String query =
        "SELECT COUNT(*) FROM pg_stat_activity"
            + " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
    try (Connection asking = DriverManager.getConnection(url(), USER, "");
        ResultSet count = asking.createStatement().executeQuery(query)) {
      count.next();
      return count.getInt(1);
    }
  }

  /** The driver's jar, for the server's own library. */
  static Path driver() {
    try {
      return jar(Class.forName(DRIVER));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("the driver is not on the class path", e);
    }
  }

  /** The jar that a class of a library is in. */
  static Path jar(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(type + " is in no file", e);
    }
  }

  @Override
  public void close() throws IOException {
    postgres.close();
  }
}
