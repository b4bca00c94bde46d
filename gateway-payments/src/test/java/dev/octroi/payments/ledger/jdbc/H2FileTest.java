package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the file of H2 has after a loss of power, and how large it becomes. */
@Tag("spec:money.durable")
@Tag("spec:money.h2_write_delay")
class H2FileTest {

  private static final int COMMITS = 400;
  private static final int LOSSES = 60;

  /** What the rows of the last test have, generously, and not what all its commits wrote. */
  private static final long SMALL = 12L << 20;

  /** A file as the power's loss left it, and the last commit that was acknowledged. */
  private record Loss(Path file, int acknowledged) {}

  private final Random random = new Random(7);
  private final List<Loss> losses = new ArrayList<>();
  private ForgetfulDisk.Platter disk;
  private DataSource database;
  private Connection open;
  private int acknowledged;

  @TempDir private Path folder;

  @BeforeEach
  void create() throws SQLException {
    disk = ForgetfulDisk.insert(this::perhapsLosePower);
    JdbcDataSource file = new JdbcDataSource();
    file.setURL("jdbc:h2:forgetful:" + folder.resolve("books") + ";WRITE_DELAY=0");
    open = file.getConnection();
    database = new SingleWriter(file, new H2File(Duration.ZERO, Duration.ZERO));
    run("CREATE TABLE line (id UUID PRIMARY KEY, number INT, text VARCHAR)");
    run("CREATE INDEX line_number ON line(number)");
    run("CREATE TABLE last (number INT)");
    run("INSERT INTO last VALUES 0");
  }

  @AfterEach
  void close() throws SQLException {
    open.close();
  }

  @Test
  void whatWasCommittedOutlivesALossOfPowerAtAnyMoment() throws Exception {
    for (int number = 1; number <= COMMITS; number++) {
      commit(number);
      acknowledged = number;
    }

    assertThat(losses).hasSizeGreaterThan(LOSSES / 2);
    for (Loss loss : losses) {
      assertIsWhole(loss);
    }
  }

  @Test
  void aTurnThatCommitsNothingSyncsNothing() throws SQLException {
    commit(1);
    final int before = disk.syncs();

    try (Connection reading = database.getConnection()) {
      assertThat(last(reading, "last")).isEqualTo(1);
    }

    assertThat(disk.syncs()).isEqualTo(before);
    commit(2);
    assertThat(disk.syncs()).isGreaterThan(before);
  }

  @Test
  void theRoomOfWhatIsOutdatedIsUsedAgain() throws Exception {
    for (int number = 1; number <= 10 * COMMITS; number++) {
      commit(number);
    }

    assertThat(Files.size(folder.resolve("books.mv.db"))).isLessThan(SMALL);
  }

  /** A few rows in places of chance, as keys are, so that each commit changes pages everywhere. */
  private void commit(int number) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (int row = 0; row < 4; row++) {
        statement.execute(
            "INSERT INTO line VALUES (RANDOM_UUID(), %d, REPEAT('x', %d))"
                .formatted(number, random.nextInt(300)));
      }
      statement.execute("DELETE FROM line WHERE number = " + (number - 1000));
      statement.execute("UPDATE last SET number = " + number);
      connection.commit();
    }
  }

  private void perhapsLosePower() {
    if (acknowledged > 0 && losses.size() < LOSSES && random.nextInt(COMMITS / LOSSES) == 0) {
      losses.add(new Loss(kept(disk.afterLossOfPower(random)), acknowledged));
    }
  }

  private Path kept(byte[] file) {
    try {
      return Files.write(folder.resolve("lost" + losses.size() + ".mv.db"), file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertIsWhole(Loss loss) throws SQLException {
    String url = "jdbc:h2:" + loss.file().toString().replace(".mv.db", "");
    try (Connection connection = DriverManager.getConnection(url)) {
      int last = last(connection, "last");
      assertThat(last).isBetween(loss.acknowledged(), loss.acknowledged() + 1);
      assertThat(last(connection, "line")).isEqualTo(last);
    }
  }

  private static int last(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT MAX(number) FROM " + table)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
