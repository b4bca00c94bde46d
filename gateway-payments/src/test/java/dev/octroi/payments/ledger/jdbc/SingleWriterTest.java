package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Why there is one transaction at a time on H2: see {@link SingleWriter}. */
@Tag("spec:money.durable")
class SingleWriterTest {

  private final DataSource file = h2();
  private final DataSource database = SingleWriter.of(file);

  private static DataSource h2() {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    return source;
  }

  @Test
  void aTransactionBeginsWhenTheOneBeforeItHasEnded() throws SQLException {
    CompletableFuture<Connection> second;
    try (Connection first = database.getConnection()) {
      first.setAutoCommit(false);
      second = CompletableFuture.supplyAsync(this::connection);
      await().until(() -> ((SingleWriter) database).waiting() == 1);
      first.commit();
      assertThat(second).isNotDone();
    }
    second.join().close();
  }

  @Test
  void aConnectionThatIsClosedTwiceEndsOneTurnOnly() throws SQLException {
    Connection first = database.getConnection();
    first.close();
    first.close();
    CompletableFuture<Connection> third;
    try (Connection second = database.getConnection()) {
      assertThat(second.isValid(1)).isTrue();
      third = CompletableFuture.supplyAsync(this::connection);
      await().until(() -> ((SingleWriter) database).waiting() == 1);
    }
    third.join().close();
  }

  @Test
  void aFailureToOpenEndsTheTurn() throws SQLException {
    JdbcDataSource broken = new JdbcDataSource();
    broken.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    DataSource turns = SingleWriter.of(broken);
    broken.setURL("jdbc:h2:mem:none;IFEXISTS=TRUE");
    for (int times = 0; times < 2; times++) {
      assertThat(failsToOpen(turns)).isTrue();
    }
  }

  /** Nothing of this process should have it, and nothing in this process can let go of it. */
  @Test
  void onlyANewProcessOpensAFileThatIsLocked(@TempDir Path folder) throws SQLException {
    JdbcDataSource left = new JdbcDataSource();
    left.setURL("jdbc:h2:file:" + folder.resolve("books"));
    JdbcDataSource source = new JdbcDataSource();
    source.setURL("jdbc:h2:async:" + folder.resolve("books"));
    SingleWriter writer = new SingleWriter(source, new H2File());
    try (Connection holding = left.getConnection()) {
      assertThat(holding.isValid(1)).isTrue();
      assertThatThrownBy(writer::getConnection).hasMessageContaining("already in use");
      assertThat(writer.needsRestart()).isTrue();
    }
    writer.getConnection().close();
    assertThat(writer.needsRestart()).isFalse();
  }

  @Test
  void readersDoNotWait() throws SQLException {
    try (Connection writing = database.getConnection();
        Connection reading = SingleWriter.reading(database).getConnection()) {
      assertThat(writing.isValid(1)).isTrue();
      assertThat(reading.isValid(1)).isTrue();
    }
  }

  @Test
  void writersOfTheSameDatabaseWaitInTheSameQueue() {
    assertThat(SingleWriter.of(database)).isSameAs(database);
  }

  private static boolean failsToOpen(DataSource source) {
    try (Connection opened = source.getConnection()) {
      return opened == null;
    } catch (SQLException e) {
      return e.getMessage().contains("not found");
    }
  }

  private Connection connection() {
    try {
      return database.getConnection();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
