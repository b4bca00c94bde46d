package dev.octroi.db;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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
public final class OwnSchema {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");

  private OwnSchema() {}

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
    return (DataSource)
        Proxy.newProxyInstance(
            OwnSchema.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              Object had = invoked(database, method, arguments);
              return had instanceof Connection connection ? switched(connection, schema) : had;
            });
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

  private static Connection switched(Connection connection, String schema) throws SQLException {
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
              return invoked(connection, method, arguments);
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

  private static @Nullable Object invoked(
      Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
