package dev.octroi.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.db.Migrations.SchemaStatus;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class MigrationsTest {

  @Test
  void anEmptyH2DatabaseIsBroughtToTheSchema() throws SQLException {
    DataSource database = h2();

    assertThat(Migrations.verify(database).pending())
        .containsExactly(
            "100 ledger",
            "101 room for changes",
            "102 settings change",
            "103 what failed",
            "104 webhooks",
            "105 margin",
            "106 credit",
            "107 sign in",
            "108 channels",
            "109 channels on a chain",
            "110 sponsored approvals",
            "111 refunds in other tokens",
            "112 claims that wait",
            "113 checks that outlive their session",
            "114 turns of leases",
            "115 one transaction one refund",
            "116 refunds of keys",
            "117 numbers of lines");
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
  void aSchemaFromBeforeTheFirstReleaseIsRefusedAndLeftAsItIs() throws SQLException {
    DataSource database = h2();
    formerSchema(database);
    List<String> before = rows(database, "SCRIPT");

    assertThatThrownBy(() -> Migrations.apply(database))
        .isInstanceOf(UnsupportedSchema.class)
        .hasMessageContaining("start this one with an empty database or another schema");

    assertThat(rows(database, "SCRIPT")).isEqualTo(before);
    assertThat(Migrations.verify(database).isUnsupported()).isTrue();
    assertThat(Migrations.verify(database).isCurrent()).isFalse();
    assertThat(new SchemaWatch(database).isApplied()).isFalse();
  }

  @Test
  void aSchemaFromBeforeTheFirstReleaseIsRefusedBesideTheTablesOfAHostToo() throws SQLException {
    DataSource database = h2();
    hostSchema(database);
    formerSchema(database);
    List<String> before = rows(database, "SCRIPT");

    assertThatThrownBy(() -> Migrations.apply(database)).isInstanceOf(UnsupportedSchema.class);

    assertThat(rows(database, "SCRIPT")).isEqualTo(before);
  }

  @Test
  void aHostsOwnMigrationsOfAnyNumberDoNotMatter() throws SQLException {
    DataSource database = h2();
    hostSchema(database);

    Migrations.apply(database);

    assertThat(Migrations.verify(database).isCurrent()).isTrue();
    execute(database, "SELECT count(*) FROM guest_book");
  }

  @Test
  void onPostgresASchemaFromBeforeTheFirstReleaseIsRefusedAndAnotherSchemaIsTaken()
      throws SQLException, IOException {
    try (EmbeddedPostgres server = postgres()) {
      DataSource database = server.getPostgresDatabase();
      hostSchema(database);
      formerSchema(database);
      String tables = "SELECT table_schema || table_name FROM information_schema.tables ORDER BY 1";
      List<String> before = rows(database, tables);

      assertThatThrownBy(() -> Migrations.apply(database)).isInstanceOf(UnsupportedSchema.class);

      assertThat(rows(database, tables)).isEqualTo(before);
      execute(database, "CREATE SCHEMA octroi");
      PGSimpleDataSource another = new PGSimpleDataSource();
      another.setUrl(server.getJdbcUrl("postgres", "postgres"));
      another.setCurrentSchema("octroi");

      Migrations.apply(another);

      assertThat(Migrations.verify(another).isCurrent()).isTrue();
    }
  }

  /** Both databases have the same tables and columns, in the same order. */
  @Test
  void bothDatabasesHaveTheSameTables() throws SQLException, IOException {
    DataSource h2 = h2();
    Migrations.apply(h2);
    try (EmbeddedPostgres server = postgres()) {
      DataSource postgres = server.getPostgresDatabase();
      Migrations.apply(postgres);

      assertThat(columns(postgres)).isNotEmpty().isEqualTo(columns(h2));
    }
  }

  private static List<String> columns(DataSource database) throws SQLException {
    return rows(
            database,
            """
            SELECT lower(table_name || '.' || column_name || ' ' || is_nullable)
            FROM information_schema.columns WHERE lower(table_schema) = 'public'
            ORDER BY lower(table_name), ordinal_position
            """)
        .stream()
        .filter(column -> !column.startsWith("octroi_schema_history"))
        .filter(column -> !column.startsWith("journal_other") && !column.matches("journal_2.*"))
        .toList();
  }

  /** What a gateway from before the first release left, as far as its history tells of it. */
  private static void formerSchema(DataSource database) {
    Flyway.configure()
        .dataSource(database)
        .locations("classpath:dev/octroi/db/former")
        .table("octroi_schema_history")
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .load()
        .migrate();
  }

  /** A host's own tables and history, with a number that was one of ours. */
  private static void hostSchema(DataSource database) {
    Flyway.configure()
        .dataSource(database)
        .locations("classpath:dev/octroi/db/host")
        .load()
        .migrate();
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

  @Test
  void aMonthThatHasLinesElsewhereKeepsNoOtherFromBeingMade() throws SQLException {
    DataSource database = PostgresServer.require().blankDatabase();
    Migrations.apply(database);
    execute(
        database,
        "INSERT INTO journal (at, debit, credit, amount) VALUES ('2020-01-31 23:59Z', 1, 2, 3)");

    execute(database, "SELECT journal_months(DATE '2020-01-31')");

    execute(database, "SELECT count(*) FROM journal_2020_02, journal_2020_03");
    assertThatThrownBy(() -> execute(database, "SELECT count(*) FROM journal_2020_01"))
        .hasMessageContaining("does not exist");
    execute(database, "SELECT 1 / count(*) FROM journal_other");
  }

  @Test
  void aNodeThatStartsWhileAnotherMigratesPostgresWaitsForItsTurn() throws Exception {
    DataSource database = PostgresServer.require().blankDatabase();
    CompletableFuture<Void> second;
    try (Connection first = database.getConnection();
        Statement lock = first.createStatement()) {
      first.setAutoCommit(false);
      lock.execute("SELECT pg_advisory_xact_lock(hashtext('octroi.migrations'))");

      second = CompletableFuture.runAsync(() -> Migrations.apply(database));

      assertThatThrownBy(() -> second.get(1, TimeUnit.SECONDS))
          .isInstanceOf(TimeoutException.class);
      assertThat(Migrations.verify(database).pending()).hasSize(18);
      first.rollback();
    }
    second.get(1, TimeUnit.MINUTES);

    assertThat(Migrations.verify(database).isCurrent()).isTrue();
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
