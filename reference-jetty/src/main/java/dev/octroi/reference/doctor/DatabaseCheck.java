package dev.octroi.reference.doctor;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.settings.DatabaseSettings;
import dev.octroi.db.DatabaseFault;
import dev.octroi.db.H2Files;
import dev.octroi.db.Migrations;
import dev.octroi.db.Migrations.SchemaStatus;
import dev.octroi.db.Sessions;
import dev.octroi.payments.ledger.jdbc.Durability;
import dev.octroi.reference.CannotStart;
import dev.octroi.reference.doctor.Doctor.Clocks;
import dev.octroi.reference.doctor.Doctor.Finding;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;

/** Looks at the database: whether it answers, its schema, its clock. Changes nothing in it. */
record DatabaseCheck(DatabaseSettings settings, Duration deadline) {

  private static final String SUBJECT = "database";
  private static final String SCHEMA = "schema";
  private static final String H2 = "jdbc:h2:";

  /** H2: there is no such file. */
  private static final int NOT_THERE = 90146;

  List<Finding> look(Clocks clocks) {
    String place = DatabaseFault.place(settings.url());
    // The driver tells why it cannot connect. The pool would log that with its trace.
    try (Connection first =
            DriverManager.getConnection(address(), settings.user(), settings.password().value());
        HikariDataSource database = source()) {
      askTheTime(first, clocks);
      if (!settings.url().startsWith(H2)) {
        Sessions.require(database);
      }
      return List.of(
          Durability.problem(database)
              .map(problem -> Finding.warning(SUBJECT, problem, "Real money is not kept there."))
              .orElseGet(() -> Finding.good(SUBJECT, place)),
          schema(Migrations.verify(database)));
    } catch (SQLException e) {
      return List.of(unusable(place, e));
    }
  }

  private void askTheTime(Connection connection, Clocks clocks) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout((int) deadline.toSeconds());
      try (ResultSet now = statement.executeQuery("SELECT CURRENT_TIMESTAMP")) {
        now.next();
        clocks.told("the database", now.getObject(1, OffsetDateTime.class).toInstant());
      }
    }
  }

  /** An H2 file that is not there yet is not made, and no trace beside it. */
  private String address() {
    return settings.url().startsWith(H2)
        ? H2Files.ownerOnly(settings.url() + ";IFEXISTS=TRUE")
        : settings.url();
  }

  private HikariDataSource source() {
    HikariConfig pool = new HikariConfig();
    pool.setPoolName("doctor");
    pool.setJdbcUrl(address());
    pool.setUsername(settings.user());
    pool.setPassword(settings.password().value());
    pool.setMaximumPoolSize(2);
    pool.setMinimumIdle(0);
    pool.setConnectionTimeout(deadline.toMillis());
    return new HikariDataSource(pool);
  }

  private Finding unusable(String place, SQLException e) {
    CannotStart found = CannotStart.database(e, settings);
    if (e.getErrorCode() == NOT_THERE) {
      return Finding.good(SUBJECT, "the first start makes " + place);
    }
    return found.inUse()
        ? Finding.warning(
            SUBJECT,
            found.what(),
            "This is right if the gateway runs. Its schema was not examined.")
        : Finding.bad(SUBJECT, found.what(), found.advice());
  }

  private static Finding schema(SchemaStatus schema) {
    if (schema.isUnsupported()) {
      return Finding.bad(SCHEMA, "from before the first release", SchemaStatus.unsupported());
    }
    if (!schema.failed().isEmpty()) {
      return Finding.bad(
          SCHEMA,
          "a migration failed: " + String.join(", ", schema.failed()),
          "Restore the backup that you made before the upgrade, and start again.");
    }
    if (!schema.newer().isEmpty()) {
      return Finding.warning(
          SCHEMA,
          "a newer version was here: " + String.join(", ", schema.newer()),
          "This is right during a rolling upgrade. Otherwise start that version.");
    }
    return Finding.good(
        SCHEMA,
        schema.pending().isEmpty()
            ? "that of this version"
            : "the next start applies " + schema.pending().size() + " migrations");
  }
}
