package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.H2Schema;
import dev.octroi.payments.books.BookVerification;
import dev.octroi.payments.books.Period;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.LedgerUnavailable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** H2 on a disk that is full for a while. */
@Tag("spec:money.durable")
class FullDiskTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private volatile boolean full;

  @Test
  void theLedgerOpensItsFileAgainOnceThereIsRoom(@TempDir Path folder) throws Exception {
    ForgetfulDisk.insert(this::write);
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl("jdbc:h2:forgetful:" + folder.resolve("books") + ";WRITE_DELAY=0");
    pool.setMaximumPoolSize(6);
    pool.setConnectionTimeout(2_000);
    try (HikariDataSource database = new HikariDataSource(pool)) {
      H2Schema.copyTo(database);
      try (JdbcLedger ledger =
          new JdbcLedger(
              database,
              new AnswerVault(new byte[32]),
              LedgerSettings.of("full"),
              Clock.systemUTC())) {
        List<Claim> settled = new ArrayList<>();
        settled.add(sold(ledger));
        Claim open = LedgerFixture.claimed(ledger, Sample.fresh());

        full = true;
        assertThatThrownBy(() -> sold(ledger)).isInstanceOf(LedgerUnavailable.class);
        assertThatThrownBy(() -> sold(ledger)).isInstanceOf(LedgerUnavailable.class);
        full = false;

        await()
            .atMost(TIMEOUT)
            .ignoreExceptionsInstanceOf(LedgerUnavailable.class)
            .until(() -> settled.add(sold(ledger)));
        assertThat(ledger.pulse().needsRestart()).isFalse();
        assertThat(ledger.release(open) || !ledger.settling(open, Sample.ANSWER)).isTrue();
        assertThat(
                new BookVerification(database, Map.of(), Duration.ofDays(1), Clock.systemUTC())
                    .verify(Period.ALL, 10)
                    .differences())
            .isEmpty();
        assertThat(settled).hasSizeGreaterThan(1);
      }
    }
  }

  private static Claim sold(JdbcLedger ledger) {
    Claim claim = LedgerFixture.claimed(ledger, Sample.fresh());
    ledger.settleHere(claim, Sample.ANSWER);
    return claim;
  }

  private void write() throws IOException {
    if (full) {
      throw new IOException("No space left on device");
    }
  }
}
