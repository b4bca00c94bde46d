package dev.octroi.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class MigrationsTest {

  @Test
  void anEmptyH2DatabaseIsBroughtToTheSchema() throws SQLException {
    DataSource database = h2();

    assertThat(Migrations.verify(database).pending()).contains("17 schema");
    Migrations.apply(database);

    assertThat(Migrations.verify(database).isCurrent()).isTrue();
    execute(database, "SELECT count(*) FROM payment");
  }

  @Test
  void applyingTwiceChangesNothing() {
    DataSource database = h2();
    Migrations.apply(database);
    Migrations.apply(database);
    assertThat(Migrations.verify(database).isCurrent()).isTrue();
  }

  @Test
  void theTablesOfAHostAreLeftAlone() throws SQLException {
    DataSource database = h2();
    execute(database, "CREATE TABLE guest_book (line VARCHAR(10))");

    Migrations.apply(database);

    assertThat(Migrations.verify(database).isCurrent()).isTrue();
    execute(database, "SELECT count(*) FROM guest_book");
  }

  @Test
  void aNewH2DatabaseIsMadeAtOnceAsTheStepsWouldHaveMadeIt() throws SQLException {
    DataSource atOnce = h2();
    DataSource stepByStep = h2();
    execute(stepByStep, "CREATE TABLE guest_book (line VARCHAR(10))");

    Migrations.apply(atOnce);
    Migrations.apply(stepByStep);
    execute(stepByStep, "DROP TABLE guest_book");

    assertThat(steps(atOnce)).containsExactly("B17__schema.sql");
    assertThat(steps(stepByStep))
        .contains("V1__nodes_accounts_and_effects.sql", "V17__lists_of_work.sql");
    assertThat(schema(atOnce)).isNotEmpty().isEqualTo(schema(stepByStep));
  }

  @Test
  void aWatchSaysWhetherTheSchemaIsThereAndLivesWithANewerOne() throws SQLException {
    DataSource database = h2();
    SchemaWatch watch = new SchemaWatch(database);
    assertThat(watch.isApplied()).isFalse();

    Migrations.apply(database);
    execute(
        database,
        """
        INSERT INTO "octroi_schema_history" ("installed_rank", "version", "description", "type", "script",
          "checksum", "installed_by", "execution_time", "success")
        VALUES (99, '999', 'from the future', 'SQL', 'V999__from_the_future.sql', 1, 'x', 1, TRUE)
        """);

    assertThat(watch.isApplied()).isTrue();
  }

  @Test
  void aNewerSchemaIsReportedAndNotTouched() throws SQLException {
    DataSource database = h2();
    Migrations.apply(database);
    execute(
        database,
        """
        INSERT INTO "octroi_schema_history" ("installed_rank", "version", "description", "type", "script",
          "checksum", "installed_by", "execution_time", "success")
        VALUES (99, '999', 'from the future', 'SQL', 'V999__from_the_future.sql', 1, 'x', 1, TRUE)
        """);

    SchemaStatus status = Migrations.verify(database);

    assertThat(status.newer()).containsExactly("999 from the future");
    assertThat(status.isCurrent()).isFalse();
  }

  @Test
  void aMigrationThatCannotBeAppliedIsReported() throws SQLException {
    DataSource database = h2();
    execute(database, "CREATE TABLE payment (id INT)");

    assertThatThrownBy(() -> Migrations.apply(database)).isInstanceOf(FlywayException.class);

    assertThat(Migrations.verify(database).isCurrent()).isFalse();
  }

  @Test
  void anEmptyPostgresDatabaseIsBroughtToTheSchema() throws SQLException, IOException {
    try (EmbeddedPostgres server = postgres()) {
      DataSource database = server.getPostgresDatabase();

      Migrations.apply(database);
      Migrations.apply(database);

      assertThat(Migrations.verify(database).isCurrent()).isTrue();
      execute(database, "SELECT journal_months(DATE '2027-01-31')");
      execute(database, "SELECT count(*) FROM journal_2027_03");
    }
  }

  @Test
  void aMonthOfTheJournalIsDroppedOnceItIsClosedAndEmpty() throws SQLException, IOException {
    try (EmbeddedPostgres server = postgres()) {
      DataSource database = server.getPostgresDatabase();
      Migrations.apply(database);
      execute(database, "SELECT journal_months(DATE '2020-01-31')");
      execute(
          database,
          "INSERT INTO journal (at, debit, credit, amount) VALUES ('2020-02-29 23:00Z', 1, 2, 3)");

      execute(database, "SELECT journal_drop_months('2020-03-01 00:00Z')");

      assertThatThrownBy(() -> execute(database, "SELECT count(*) FROM journal_2020_01"))
          .hasMessageContaining("does not exist");
      execute(database, "SELECT count(*) FROM journal_2020_03");
      execute(database, "DELETE FROM journal_2020_02");

      execute(database, "SELECT journal_drop_months('2020-03-01 00:00Z')");

      assertThatThrownBy(() -> execute(database, "SELECT count(*) FROM journal_2020_02"))
          .hasMessageContaining("does not exist");
    }
  }

  private static EmbeddedPostgres postgres() {
    try {
      return EmbeddedPostgres.builder().start();
    } catch (IOException | RuntimeException e) {
      return Assumptions.abort("no PostgreSQL can be started here: " + e);
    }
  }

  private static DataSource h2() {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    return database;
  }

  private static List<String> steps(DataSource database) throws SQLException {
    return rows(
        database, "SELECT \"script\" FROM \"octroi_schema_history\" WHERE \"type\" LIKE 'SQL%'");
  }

  /** Tables, indexes and rows as statements, without the names that the database thought of. */
  private static List<String> schema(DataSource database) throws SQLException {
    return rows(database, "SCRIPT NOPASSWORDS NOSETTINGS").stream()
        .filter(statement -> !statement.contains("octroi_schema_history"))
        .map(statement -> statement.replaceAll("(CONSTRAINT|PRIMARY_KEY)_[0-9A-F_]+", "$1"))
        .sorted()
        .toList();
  }

  private static List<String> rows(DataSource database, String query) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(query)) {
      List<String> rows = new ArrayList<>();
      while (answer.next()) {
        rows.add(answer.getString(1));
      }
      return rows;
    }
  }

  private static void execute(DataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
