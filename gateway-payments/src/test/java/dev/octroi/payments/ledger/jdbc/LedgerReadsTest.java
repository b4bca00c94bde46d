package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class LedgerReadsTest {

  private static final class Full extends RuntimeException {

    private static final long serialVersionUID = 1L;
  }

  private final JdbcDataSource source = new JdbcDataSource();

  private DataSource few() {
    source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    return LedgerReads.few(source, 1, Full::new);
  }

  @Test
  void aReadWaitsForItsTurnAndAnotherIsRefusedWhereManyWait() throws Exception {
    DataSource few = few();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<CompletableFuture<Void>> reads = new ArrayList<>();
      try (Connection first = few.getConnection()) {
        assertThat(first.isValid(1)).isTrue();
        for (int read = 0; read < 40; read++) {
          reads.add(CompletableFuture.runAsync(() -> opensAndCloses(few), threads));
        }
        await().until(() -> reads.stream().anyMatch(CompletableFuture::isDone));
        assertThat(reads)
            .filteredOn(CompletableFuture::isDone)
            .allSatisfy(one -> assertThatThrownBy(one::join).hasCauseInstanceOf(Full.class));
      }
      await().until(() -> reads.stream().allMatch(CompletableFuture::isDone));
      assertThat(reads).anyMatch(one -> !one.isCompletedExceptionally());
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void aConnectionThatCannotBeHadOrIsClosedTwiceEndsOneTurn() throws SQLException {
    DataSource few = few();
    String good = source.getURL();
    source.setURL("jdbc:h2:mem:none;IFEXISTS=TRUE");
    assertThatThrownBy(few::getConnection).isInstanceOf(SQLException.class);
    source.setURL(good);
    Connection first = few.getConnection();
    first.close();
    first.close();
    try (Connection second = few.getConnection()) {
      assertThat(second.isValid(1)).isTrue();
      assertThatThrownBy(few::getConnection).isInstanceOf(Full.class);
    }
  }

  private static void opensAndCloses(DataSource source) {
    try {
      source.getConnection().close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
