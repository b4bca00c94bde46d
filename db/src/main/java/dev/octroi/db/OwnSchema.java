package dev.octroi.db;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A host's database, seen from a schema in it that is Octroi's alone. The host's own migrations
 * then find their schema as they left it, whichever of the two comes first.
 *
 * <p>Each connection is switched to the schema when it is taken, and back before the host's pool
 * has it again. Thread-safe.
 */
public final class OwnSchema implements DataSource {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");

  private final DataSource database;
  private final String schema;

  private OwnSchema(DataSource database, String schema) {
    this.database = database;
    this.schema = schema;
  }

  /**
   * Makes the schema if it is not there.
   *
   * @param database the host's, which stays the host's to close
   * @param schema lower-case letters, digits and underscores
   * @throws IllegalArgumentException if that is no such name
   * @throws IllegalStateException if the schema is not there and cannot be made
   */
  public static DataSource of(DataSource database, String schema) {
    if (!NAME.matcher(schema).matches()) {
      throw new IllegalArgumentException(
          "a schema's name has lower-case letters, digits and underscores: " + schema);
    }
    try (Connection connection = database.getConnection()) {
      if (isMissing(connection, schema)) {
        try (Statement create = connection.createStatement()) {
          create.execute("CREATE SCHEMA IF NOT EXISTS \"" + schema + "\"");
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the schema " + schema + " cannot be had", e);
    }
    return new OwnSchema(database, schema);
  }

  /** An account that may not make schemas can use one that was made for it. */
  private static boolean isMissing(Connection connection, String schema) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT 1 FROM information_schema.schemata WHERE schema_name = ?")) {
      query.setString(1, schema);
      try (ResultSet found = query.executeQuery()) {
        return !found.next();
      }
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    return switched(database.getConnection());
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    return switched(database.getConnection(username, password));
  }

  private Connection switched(Connection connection) throws SQLException {
    try {
      String before = connection.getSchema();
      if (schema.equals(before)) {
        return connection;
      }
      set(connection, schema);
      return restored(connection, before);
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private static Connection restored(Connection connection, @Nullable String before) {
    return (Connection)
        Proxy.newProxyInstance(
            OwnSchema.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close") && before != null && !connection.isClosed()) {
                giveBack(connection, before);
                return null;
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** What is broken is closed all the same, so that its pool sees it. */
  private static void giveBack(Connection connection, String before) throws SQLException {
    try (connection) {
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
      set(connection, before);
    }
  }

  /** PostgreSQL takes it back with the transaction in which it was said. */
  private static void set(Connection connection, String schema) throws SQLException {
    connection.setSchema(schema);
    if (!connection.getAutoCommit()) {
      connection.commit();
    }
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return database.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    database.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    database.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return database.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return database.getParentLogger();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return type.isInstance(this) ? type.cast(this) : database.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return type.isInstance(this) || database.isWrapperFor(type);
  }
}
