package dev.octroi.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.h2.jdbcx.JdbcConnectionPool;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A host's Flyway and ours in one database, each of which may come first. */
class OwnSchemaTest {

  /** A database that both share. */
  enum Product {
    H2,
    POSTGRESQL;

    DataSource empty() {
      return this == H2 ? h2() : PostgresServer.require().blankDatabase();
    }
  }

  private static DataSource h2() {
    JdbcDataSource h2 = new JdbcDataSource();
    h2.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    return h2;
  }

  @ParameterizedTest
  @EnumSource
  void aHostsMigrationsComeAfterOurs(Product product) throws SQLException {
    DataSource database = product.empty();
    DataSource own = OwnSchema.of(database, "octroi");
    Migrations.apply(own);

    host(database).migrate();

    areBothThere(database, own);
  }

  @ParameterizedTest
  @EnumSource
  void aHostsMigrationsComeBeforeOurs(Product product) throws SQLException {
    DataSource database = product.empty();
    host(database).migrate();

    DataSource own = OwnSchema.of(database, "octroi");
    Migrations.apply(own);

    areBothThere(database, own);
    host(database).validate();
  }

  /** Why there is a schema of its own: Flyway takes no schema that it did not begin. */
  @Test
  void inOneSchemaAHostsMigrationsMustComeFirst() {
    DataSource database = h2();
    Migrations.apply(database);

    assertThatThrownBy(() -> host(database).migrate()).isInstanceOf(FlywayException.class);
  }

  private static void areBothThere(DataSource database, DataSource own) throws SQLException {
    assertThat(Migrations.verify(own).isCurrent()).isTrue();
    assertThat(tables(database, "octroi")).contains("payment", "journal", "octroi_schema_history");
    assertThat(tables(database, "public")).containsOnly("guest_book", "flyway_schema_history");
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionIsGivenBackAsItWas(Product product) throws SQLException {
    DataSource database = product.empty();
    try (Connection one = database.getConnection()) {
      String before = one.getSchema();
      one.setAutoCommit(false);
      DataSource own = OwnSchema.of(always(one), "octroi");

      try (Connection ours = own.getConnection()) {
        assertThat(ours.getSchema()).isEqualTo("octroi");
        ours.rollback();
        assertThat(ours.getSchema()).isEqualTo("octroi");
        assertThatThrownBy(() -> ours.createStatement().execute("SELECT nothing"))
            .isInstanceOf(SQLException.class);
      }

      assertThat(one.getSchema()).isEqualTo(before);
    }
  }

  /** A pool with one connection, which it never closes. */
  private static DataSource always(Connection one) {
    Connection kept =
        (Connection)
            Proxy.newProxyInstance(
                OwnSchemaTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) ->
                    method.getName().equals("close") ? null : method.invoke(one, arguments));
    return (DataSource)
        Proxy.newProxyInstance(
            OwnSchemaTest.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> kept);
  }

  @Test
  void aNameThatCouldBeAnythingElseIsRefused() {
    for (String name : List.of("", "Octroi", "a-b", "a\"; DROP", "1a")) {
      assertThatThrownBy(() -> OwnSchema.of(h2(), name))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aSchemaThatIsThereIsTakenByAnAccountThatMayMakeNone() throws SQLException {
    JdbcConnectionPool database =
        JdbcConnectionPool.create(
            "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    try (Connection owner = database.getConnection();
        Statement statement = owner.createStatement()) {
      statement.execute("CREATE SCHEMA \"octroi\"");
      statement.execute("CREATE USER guest PASSWORD 'x'");
      statement.execute("GRANT ALL ON SCHEMA \"octroi\" TO guest");
      JdbcDataSource guest = new JdbcDataSource();
      guest.setURL(owner.getMetaData().getURL());
      guest.setUser("guest");
      guest.setPassword("x");

      try (Connection ours = OwnSchema.of(guest, "octroi").getConnection()) {
        assertThat(ours.getSchema()).isEqualTo("octroi");
      }
      assertThatThrownBy(() -> OwnSchema.of(guest, "another"))
          .isInstanceOf(IllegalStateException.class);
    } finally {
      database.dispose();
    }
  }

  private static Flyway host(DataSource database) {
    return Flyway.configure().dataSource(database).locations("classpath:dev/octroi/db/host").load();
  }

  private static List<String> tables(DataSource database, String schema) throws SQLException {
    List<String> tables = new ArrayList<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT table_name FROM information_schema.tables WHERE lower(table_schema) = '"
                    + schema
                    + "'")) {
      while (rows.next()) {
        tables.add(rows.getString(1).toLowerCase(Locale.ROOT));
      }
    }
    return tables;
  }
}
