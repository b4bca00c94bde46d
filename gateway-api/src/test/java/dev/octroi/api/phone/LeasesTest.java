package dev.octroi.api.phone;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.H2Database;
import dev.octroi.api.phone.NumberPurchase.Deed;
import dev.octroi.db.PostgresServer;
import dev.octroi.payments.NamedStatements;
import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.phone.PhoneNumbers.Country;
import dev.octroi.services.phone.PhoneNumbers.LeasedNumber;
import java.time.Instant;
import java.util.UUID;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two nodes write the same number down at once. */
@Tag("spec:money.6")
class LeasesTest {

  @Test
  void onH2ANumberIsOneLeaseHoweverManyNodesBuyItAtOnce() {
    try (HikariDataSource database = H2Database.empty()) {
      aNumberIsOneLease(database, "SET LOCK_TIMEOUT 200");
    }
  }

  @Test
  void onPostgresANumberIsOneLeaseHoweverManyNodesBuyItAtOnce() {
    aNumberIsOneLease(PostgresServer.require().emptyDatabase(), "SET lock_timeout = '200ms'");
  }

  private static void aNumberIsOneLease(DataSource database, String impatient) {
    Jdbi nodes = NamedStatements.of(database);
    try (Handle first = nodes.open();
        Handle second = nodes.open()) {
      second.execute(impatient);
      first.begin();
      Leases.open(first, bought(1));

      second.begin();
      assertThatThrownBy(() -> Leases.open(second, bought(2)))
          .as("it cannot be told yet whose the number is")
          .isInstanceOf(JdbiException.class);
      second.rollback();
      first.commit();

      second.begin();
      assertThatThrownBy(() -> Leases.open(second, bought(2)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("twice");
      second.rollback();
    }
  }

  private static Lease bought(long id) {
    LeasedNumber number = new LeasedNumber("PN1", new PhoneNumber("+14155550100"));
    return Lease.bought(
        new Deed(
            new UUID(0, id),
            number,
            Country.US,
            "account:" + new UUID(1, id),
            "eip155:1",
            Instant.parse("2026-11-21T10:00:00Z")));
  }
}
