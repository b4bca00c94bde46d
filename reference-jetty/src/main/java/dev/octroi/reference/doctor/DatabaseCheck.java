package dev.octroi.reference.doctor;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.octroi.api.settings.DatabaseSettings;
import dev.octroi.db.Migrations;
import dev.octroi.db.Migrations.SchemaStatus;
import dev.octroi.reference.doctor.Doctor.Clocks;
import dev.octroi.reference.doctor.Doctor.Finding;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;

/** Looks at the database: whether it answers, its schema, its clock. Changes nothing in it. */
final class DatabaseCheck {

  private static final String SUBJECT = "database";
  private static final String SCHEMA = "schema";
  private static final String H2 = "jdbc:h2:";

  /** H2: the file is open in another process. */
  private static final int IN_USE = 90020;

  /** H2: there is no such file. */
  private static final int NOT_THERE = 90146;

  private final DatabaseSettings settings;
  private final Duration deadline;

  DatabaseCheck(DatabaseSettings settings, Duration deadline) {
    this.settings = settings;
    this.deadline = deadline;
  }

  List<Finding> look(Clocks clocks) {
    // Parameters may hold a password.
    String place = settings.url().replaceAll("[?;].*", "");
    try (HikariDataSource database = source()) {
      askTheTime(database, clocks);
      return List.of(Finding.good(SUBJECT, place), schema(Migrations.verify(database)));
    } catch (SQLException e) {
      return List.of(unusable(place, e));
    } catch (PoolInitializationException e) {
      return List.of(unusable(place, cause(e)));
    }
  }

  /** By a connection that is given back: looking at the schema takes all that the pool has. */
  private void askTheTime(HikariDataSource database, Clocks clocks) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.setQueryTimeout((int) deadline.toSeconds());
      try (ResultSet now = statement.executeQuery("SELECT CURRENT_TIMESTAMP")) {
        now.next();
        clocks.told("the database", now.getObject(1, OffsetDateTime.class).toInstant());
      }
    }
  }

  /** An H2 file that is not there yet is not made. */
  private HikariDataSource source() {
    HikariConfig pool = new HikariConfig();
    pool.setPoolName("doctor");
    pool.setJdbcUrl(settings.url() + (settings.url().startsWith(H2) ? ";IFEXISTS=TRUE" : ""));
    pool.setUsername(settings.user());
    pool.setPassword(settings.password().value());
    pool.setMaximumPoolSize(2);
    pool.setMinimumIdle(0);
    pool.setConnectionTimeout(deadline.toMillis());
    // The first attempt tells; with another one at hand the pool would try for the whole deadline.
    pool.setInitializationFailTimeout(1);
    return new HikariDataSource(pool);
  }

  /** The pool tells that it could not be opened, and the driver why. */
  private static SQLException cause(PoolInitializationException thrown) {
    return thrown.getCause() instanceof SQLException driver ? driver : new SQLException(thrown);
  }

  private static Finding unusable(String place, SQLException e) {
    return switch (e.getErrorCode()) {
      case NOT_THERE -> Finding.good(SUBJECT, place + " is made at the first start");
      case IN_USE ->
          Finding.warning(
              SUBJECT,
              place + " is open in another process",
              "Well if that is the gateway; its schema was not looked at.");
      default ->
          Finding.bad(
              SUBJECT,
              place + " cannot be opened, SQL state " + e.getSQLState(),
              "Set gateway.database.url, user and password; see that the server takes connections.");
    };
  }

  private static Finding schema(SchemaStatus schema) {
    if (schema.isUnsupported()) {
      return Finding.bad(SCHEMA, "from before the first release", SchemaStatus.unsupported());
    }
    if (!schema.failed().isEmpty()) {
      return Finding.bad(
          SCHEMA,
          "a migration failed: " + String.join(", ", schema.failed()),
          "Restore the backup of before the upgrade and start again.");
    }
    if (!schema.newer().isEmpty()) {
      return Finding.warning(
          SCHEMA,
          "a newer version was here: " + String.join(", ", schema.newer()),
          "Well during a rolling upgrade; otherwise run that version.");
    }
    return Finding.good(
        SCHEMA,
        schema.pending().isEmpty()
            ? "that of this version"
            : schema.pending().size() + " migrations are applied at the next start");
  }
}
