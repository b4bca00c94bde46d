package dev.octroi.examples.hall;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class SeatsTest {

  private static final int SEATS = 40;

  @Test
  void whoComesAtOnceGetsASeatOfHisOwn() throws Exception {
    HikariDataSource database = new HikariDataSource();
    database.setJdbcUrl("jdbc:h2:mem:seats;DB_CLOSE_DELAY=-1");
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      Seats seats = Seats.open(database, SEATS);
      List<Callable<OptionalInt>> crowd = new ArrayList<>();
      for (int i = 0; i <= SEATS; i++) {
        String payment = "payment " + i;
        crowd.add(() -> seats.hold(payment));
      }

      List<OptionalInt> held = new ArrayList<>();
      for (Future<OptionalInt> one : threads.invokeAll(crowd)) {
        held.add(one.get());
      }

      assertThat(held).doesNotHaveDuplicates().hasSize(SEATS + 1);
      assertThat(held).filteredOn(OptionalInt::isEmpty).hasSize(1);
    } finally {
      threads.shutdownNow();
      database.close();
    }
  }
}
