package dev.octroi.payments.solana;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.db.PostgresServer;
import dev.octroi.payments.solana.SolanaTransactions.StoredTransaction;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SolanaTransactionsTest {

  @Nested
  class OnH2 extends Contract {
    OnH2() {
      super(MemoryDatabase.empty());
    }
  }

  @Nested
  class OnPostgres extends Contract {
    OnPostgres() {
      super(PostgresServer.require().emptyDatabase());
    }
  }

  abstract static class Contract {

    private final SolanaTransaction transaction =
        SolanaTransaction.readBase64(Examples.PUBLISHED).signedBy(Examples.FEE_PAYER);

    private final String hash = transaction.messageHash();
    private final SolanaTransactions here;
    private final SolanaTransactions there;
    private final SolanaTransactions later;

    Contract(DataSource database) {
      String network = Examples.USDC.network();
      here = new SolanaTransactions(database, network, Clock.systemUTC());
      there = new SolanaTransactions(database, network, Clock.systemUTC());
      Clock then = Clock.fixed(Instant.now().plus(Duration.ofDays(31)), ZoneOffset.UTC);
      later = new SolanaTransactions(database, network, then);
    }

    @AfterEach
    void close() {
      here.close();
      there.close();
      later.close();
    }

    @Test
    void whatOneNodeStoresAnotherFinds() {
      assertThat(here.store(transaction, 700)).isPresent();

      StoredTransaction found = there.find(hash).orElseThrow();
      assertThat(found.transaction().toBase64()).isEqualTo(transaction.toBase64());
      assertThat(found.lastValidHeight()).isEqualTo(700);
      assertThat(found.state()).isEqualTo(StoredTransaction.State.OPEN);
    }

    @Test
    void ofManyOneStoresAMessage() throws Exception {
      ExecutorService threads = Executors.newFixedThreadPool(16);
      try {
        int stored = 0;
        for (Future<Boolean> one :
            threads.invokeAll(IntStream.range(0, 32).mapToObj(this::store).toList())) {
          stored += one.get() ? 1 : 0;
        }
        assertThat(stored).isOne();
      } finally {
        threads.shutdown();
      }
    }

    private Callable<Boolean> store(int i) {
      return () -> (i % 2 == 0 ? here : there).store(transaction, 700).isPresent();
    }

    @Test
    void aBarredMessageIsNeverStored() {
      assertThat(there.bar(hash)).isTrue();

      assertThat(here.store(transaction, 700)).isEmpty();
      assertThat(here.find(hash)).isEmpty();
      assertThat(here.bar(hash)).isTrue();
    }

    @Test
    void aStoredMessageIsNotBarred() {
      here.store(transaction, 700);

      assertThat(there.bar(hash)).isFalse();
    }

    @Test
    void aWithdrawnMessageIsStoredAgainAndAnEndedOneIsNot() {
      Instant stored = here.store(transaction, 700).orElseThrow();
      assertThat(here.withdraw(hash, stored)).isTrue();
      Instant again = here.store(transaction, 701).orElseThrow();

      here.close(hash, StoredTransaction.State.LANDED);
      assertThat(here.withdraw(hash, again)).isFalse();
      there.close(hash, StoredTransaction.State.DEAD);
      assertThat(here.find(hash).orElseThrow().state()).isEqualTo(StoredTransaction.State.LANDED);
      assertThat(here.store(transaction, 702)).isEmpty();
    }

    @Test
    @Tag("spec:money.5")
    void whatAnotherNodeSendsIsNotWithdrawn() {
      Instant stored = here.store(transaction, 700).orElseThrow();
      assertThat(there.takeOver(hash)).isTrue();

      assertThat(here.withdraw(hash, stored)).isFalse();
      assertThat(there.find(hash)).isPresent();
    }

    @Test
    void whatWasWithdrawnIsNotTakenOver() {
      here.withdraw(hash, here.store(transaction, 700).orElseThrow());

      assertThat(there.takeOver(hash)).isFalse();
    }

    @Test
    void whatHasEndedIsForgottenInTheEnd() {
      here.store(transaction, 700);
      assertThat(later.forget()).isZero();
      here.close(hash, StoredTransaction.State.DEAD);

      assertThat(here.forget()).isZero();
      assertThat(here.mayHaveForgotten(Instant.now())).isFalse();
      assertThat(later.mayHaveForgotten(Instant.now())).isTrue();
      assertThat(later.forget()).isOne();
      assertThat(here.find(hash)).isEmpty();
    }
  }
}
