package dev.octroi.api.phone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.H2Database;
import dev.octroi.api.phone.NumberPurchase.Deed;
import dev.octroi.db.PostgresServer;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.PaymentStatuses;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.phone.PhoneNumbers.Country;
import dev.octroi.services.phone.PhoneNumbers.LeasedNumber;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
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

  /** As after a commit whose answer was lost. */
  @Test
  @Tag("spec:money.unknown_commit")
  void aPaymentThatMayPayForATermIsToldSoAgain() {
    try (HikariDataSource database = H2Database.empty();
        JdbcLedger ledger =
            new JdbcLedger(
                database,
                new AnswerVault(new byte[32]),
                LedgerSettings.of("a"),
                Clock.systemUTC())) {
      Lease lease = bought(1);
      var unused =
          ledger
              .statements()
              .run(
                  handle -> {
                    Leases.open(handle, lease);
                    return true;
                  });
      Leases leases = new Leases(ledger.statements(), new AllOpen());
      PaymentUse use = new PaymentUse(UUID.randomUUID(), "00");

      assertThat(leases.payBy(lease, use)).isTrue();

      assertThat(leases.payBy(lease, use)).isTrue();
      assertThat(leases.payBy(lease, new PaymentUse(UUID.randomUUID(), "00"))).isFalse();
    }
  }

  /** Every payment may still settle. */
  private static final class AllOpen implements PaymentStatuses {

    @Override
    public PaymentStatus of(PaymentUse use) {
      return PaymentStatus.OPEN;
    }

    @Override
    public PaymentStatus of(Handle handle, PaymentUse use) {
      return PaymentStatus.OPEN;
    }

    @Override
    public Optional<String> transaction(PaymentUse use) {
      return Optional.empty();
    }
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
