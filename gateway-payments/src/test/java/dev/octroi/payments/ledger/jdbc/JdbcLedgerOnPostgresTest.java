package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.books.BookExport;
import dev.octroi.payments.books.Period;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.KeyBytes;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class JdbcLedgerOnPostgresTest {

  @Nested
  class Claims extends ClaimContract {
    Claims() {
      super(new PostgresTestDatabase());
    }

    /** A transaction does not see an account that another one opens at the same moment. */
    @Test
    @Tag("spec:money.8")
    void claimsOnTrustSeeAccountsThatAreOpenedAtTheSameMoment() throws Exception {
      JdbcLedger other = node("b");
      for (int i = 0; i < 40; i++) {
        Sample first = Sample.fresh();
        Sample second = Sample.fresh(first.payer()).withAsset("0x" + "0a".repeat(20));
        if (i % 2 == 0) {
          ledger.release(claimed(ledger, Sample.fresh(first.payer()).spendable(10_000)));
        }

        List<ClaimResult> results =
            concurrently(
                2,
                n ->
                    (n == 0 ? ledger : other)
                        .claim(
                            (n == 0 ? first : second)
                                .request()
                                .trustedWith(OptionalLong.of(10_000))));

        assertThat(results).filteredOn(ClaimResult.Claimed.class::isInstance).hasSize(1);
      }
    }
  }

  @Nested
  class Settlements extends SettlementContract {
    Settlements() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class Redeliveries extends RedeliveryContract {
    Redeliveries() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class Deliveries extends DeliveringContract {
    Deliveries() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class Clocks extends ClocksContract {
    Clocks() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class Nodes extends NodesContract {
    Nodes() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class SharedCommits extends WritersContract {
    SharedCommits() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class DurableEffects extends EffectsContract {
    DurableEffects() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class SignIns extends SignInContract {
    SignIns() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class Identified extends IdentifierContract {
    Identified() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class Keys extends AccountsContract {
    Keys() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class Budgets extends BudgetContract {
    Budgets() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class KeptBooks extends BooksContract {
    KeptBooks() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class ClosedBooks extends ClosingContract {
    ClosedBooks() {
      super(new PostgresTestDatabase());
    }

    /** A month that is made locks the whole journal, so that payments wait along with it. */
    @Test
    @Tag("spec:money.journal")
    void aMonthIsNotMadeWhileAReaderOfTheJournalTakesItsTime() throws Exception {
      Instant far = clock.instant().plus(Duration.ofDays(450));
      try (Connection reader = database.getConnection();
          Statement statement = reader.createStatement()) {
        reader.setAutoCommit(false);
        statement.execute("SELECT count(*) FROM journal");
        CompletableFuture<Void> made =
            CompletableFuture.runAsync(
                () ->
                    jdbi.useTransaction(
                        handle -> Dialect.of(database).journal().make(handle, far)));

        await().until(made::isCompletedExceptionally);

        ledger.settleHere(claimed(ledger, Sample.fresh()), Sample.ANSWER);
        assertThat(count("journal")).isPositive();
      }
    }

    @Test
    void aCallerWhoDoesNotReadItsExportKeepsNothingOfTheJournal() throws IOException {
      ledger.settleHere(claimed(ledger, Sample.fresh()), Sample.ANSWER);
      AtomicInteger written = new AtomicInteger();
      OutputStream caller =
          new OutputStream() {
            @Override
            public void write(int b) {
              change(
                  "DO 'BEGIN SET LOCAL lock_timeout = ''10s'';"
                      + " LOCK TABLE journal IN ACCESS EXCLUSIVE MODE; END'");
              written.incrementAndGet();
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
              write(bytes[offset]);
            }
          };

      new BookExport(database).write(Period.ALL, BookExport.Format.CSV, caller);

      assertThat(written).hasPositiveValue();
    }

    /** A month's partition cannot be made any more once another one has lines of it. */
    @Test
    void aNodeThatStartsInAMonthThatWasNotMadeMakesItBeforeItIsPaid() {
      clock.forward(Duration.ofDays(450));
      JdbcLedger later = node("later");

      later.settleHere(claimed(later, Sample.fresh()), Sample.ANSWER);

      assertThat(count("journal")).isPositive();
      assertThat(count("journal_other")).isZero();
    }
  }

  @Nested
  class Told extends OutboxContract {
    Told() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class PaidBack extends RefundsContract {
    PaidBack() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class OnAccount extends DebtsContract {
    OnAccount() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class OpenEnds extends UnresolvedPaymentsContract {
    OpenEnds() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class Transitions extends TransitionsContract {
    Transitions() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class Resumptions extends ResumptionContract {
    Resumptions() {
      super(new PostgresTestDatabase());
    }

    /** With two writers, the one that is to note it may be waiting for a row of its batch. */
    @Test
    @Tag("spec:money.3")
    void aCallerThatWasToldToAskAgainFindsTheTurnFree() throws Exception {
      Sample sample = Sample.fresh().resumable();
      Claim claim = claimed(ledger, sample);
      ledger.settleHere(claim, null);
      Sample stranger = Sample.fresh();
      claimed(ledger, stranger);
      try (Connection holder = database.getConnection()) {
        holder.setAutoCommit(false);
        lockAccount(holder, stranger);
        ledger.unanswered(claim);
        Thread held = new Thread(() -> ledger.claim(Sample.fresh(stranger.payer()).request()));
        held.start();
        await().until(() -> number("SELECT count(*) FROM pg_locks WHERE NOT granted") > 0);

        assertThat(ledger.claim(sample.request())).isInstanceOf(ClaimResult.Rerun.class);

        holder.rollback();
        held.join();
      }
    }

    private static void lockAccount(Connection holder, Sample sample) throws SQLException {
      String row = "SELECT 1 FROM book_account WHERE owner = ? AND kind = 'PAYER' FOR UPDATE";
      try (PreparedStatement statement = holder.prepareStatement(row)) {
        statement.setBytes(1, KeyBytes.of(Sample.NETWORK, sample.payer()));
        statement.execute();
      }
    }
  }

  @Nested
  class ClosedEffects extends EffectRunnerContract {
    ClosedEffects() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class OfChannels extends ChannelContract {
    OfChannels() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class OfChannelsOnAChain extends ChannelOnChainContract {
    OfChannelsOnAChain() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class ChannelSeeds extends ChannelSeedsContract {
    ChannelSeeds() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class Statuses extends PaymentStatusesContract {
    Statuses() {
      super(new PostgresTestDatabase());
    }
  }
}
