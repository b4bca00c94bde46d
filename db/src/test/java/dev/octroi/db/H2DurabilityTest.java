package dev.octroi.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whether the version of H2 that is pinned keeps what it acknowledged. H2 2.5.252 does not: where a
 * commit goes to reused space, its file's header points to the commit before, and whoever opens the
 * file after a kill finds that one.
 */
class H2DurabilityTest {

  /** Enough to reuse space many times; the broken version loses two commits in five. */
  private static final int COMMITS = 100;

  private static final int LONGEST = 20_000;

  @TempDir private Path folder;

  @Test
  @Tag("spec:money.durable")
  @Tag("spec:money.h2_write_delay")
  void everyCommitIsFoundInTheFileAtOnce() throws Exception {
    Random random = new Random(1);
    String url = "jdbc:h2:async:" + folder.resolve("books") + ";WRITE_DELAY=0;RETENTION_TIME=0";
    try (Connection connection = DriverManager.getConnection(url)) {
      run(connection, "CREATE TABLE line (id INT PRIMARY KEY, number INT, text VARCHAR)");
      run(connection, "INSERT INTO line SELECT x, 0, '' FROM SYSTEM_RANGE(0, 9)");
      for (int number = 1; number <= COMMITS; number++) {
        try (PreparedStatement update =
            connection.prepareStatement(
                "UPDATE line SET number = ?, text = REPEAT('x', ?) WHERE id = ?")) {
          update.setInt(1, number);
          update.setInt(2, random.nextInt(LONGEST));
          update.setInt(3, random.nextInt(10));
          update.executeUpdate();
        }

        assertThat(lastInCopy()).isEqualTo(number);
      }
    }
  }

  /**
   * A kill in the middle of a transaction: H2 undoes it when the file is opened, before it knows
   * the table's columns, and keeps the rows that it read so in memory. A value whose type says how
   * to read it (ENUM, ARRAY, ROW) is then something else: the text SETTLED became the text 2.
   */
  @Test
  @Tag("spec:money.durable")
  void aNameIsReadAsItselfAfterAKillInTheMiddleOfATransaction() throws Exception {
    JdbcDataSource books = new JdbcDataSource();
    books.setURL("jdbc:h2:" + folder.resolve("books") + ";WRITE_DELAY=0");
    try (Connection connection = books.getConnection();
        Connection other = books.getConnection()) {
      Migrations.apply(books);
      run(
          connection,
          "INSERT INTO book_account (id, kind, owner, asset, network)"
              + " VALUES (1, 'LOSS', X'01', 'a', 'n'), (2, 'DEBT', X'02', 'a', 'n')");
      connection.setAutoCommit(false);
      run(connection, "UPDATE book_account SET reserved = 1 WHERE id = 1");
      run(other, "CREATE TABLE saved (id INT)");

      assertThat(inCopy("SELECT LISTAGG(kind, ' ') WITHIN GROUP (ORDER BY id) FROM book_account"))
          .isEqualTo("LOSS DEBT");
      connection.rollback();
    }
  }

  @Test
  void noColumnIsOfATypeThatAKillChanges() throws Exception {
    String url = "jdbc:h2:mem:types;DB_CLOSE_DELAY=-1";
    JdbcDataSource database = new JdbcDataSource();
    database.setURL(url);
    Migrations.apply(database);
    try (Connection connection = database.getConnection()) {
      assertThat(
              answer(
                  connection,
                  "SELECT LISTAGG(table_name || '.' || column_name) FROM information_schema.columns"
                      + " WHERE table_schema = 'PUBLIC' AND data_type IN ('ENUM', 'ARRAY', 'ROW')"))
          .isNull();
    }
  }

  /** H2 2.4 judges IN by the connection that made the check, and fails once it is closed. */
  @Test
  void noCheckNeedsTheConnectionThatMadeIt() throws Exception {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:checks;DB_CLOSE_DELAY=-1");
    Migrations.apply(database);
    try (Connection connection = database.getConnection()) {
      assertThat(
              answer(
                  connection,
                  "SELECT LISTAGG(check_clause) FROM information_schema.check_constraints"
                      + " WHERE check_clause LIKE '% IN%'"))
          .isNull();
      for (String role : List.of("READ", "ACT", "ADMIN")) {
        run(
            connection,
            "INSERT INTO operator_token (id, name, role, token_hash, created_at) VALUES"
                + " (RANDOM_UUID(), '%1$s', '%1$s', RANDOM_UUID(), CURRENT_TIMESTAMP)"
                    .formatted(role));
      }
      assertThatThrownBy(() -> run(connection, "UPDATE operator_token SET role = 'OWNER'"))
          .hasMessageContaining("Check constraint violation");
    }
  }

  private int lastInCopy() throws Exception {
    return Integer.parseInt(inCopy("SELECT MAX(number) FROM line"));
  }

  /** The answer of what a killed process would have left at this moment. */
  private String inCopy(String query) throws Exception {
    Files.copy(
        folder.resolve("books.mv.db"),
        folder.resolve("copy.mv.db"),
        StandardCopyOption.REPLACE_EXISTING);
    try (Connection copy = DriverManager.getConnection("jdbc:h2:" + folder.resolve("copy"))) {
      return answer(copy, query);
    }
  }

  private static String answer(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
