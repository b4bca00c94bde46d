package dev.octroi.api.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.ledger.jdbc.SingleWriter;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes are numbered without gaps, kept for ever, and written once, whichever nodes write. */
abstract class ChangeStoreContract {

  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  private static final int NODES = 2;
  private static final int ROUNDS = 20;

  private final List<JdbcLedger> nodes = new ArrayList<>();
  private ChangeStore store;

  /** A new database with the schema and nothing in it. */
  abstract DataSource emptyDatabase();

  @BeforeEach
  void open() {
    DataSource database = emptyDatabase();
    for (int node = 0; node < NODES; node++) {
      nodes.add(
          new JdbcLedger(
              SingleWriter.of(database),
              AnswerVault.ofThisProcess(),
              LedgerSettings.of("node-" + node),
              Clock.systemUTC()));
    }
    store = new ChangeStore(database);
  }

  @AfterEach
  void close() {
    nodes.forEach(JdbcLedger::close);
  }

  private static SettingsChange change(long number, String value) {
    Map<String, Optional<String>> lines = new LinkedHashMap<>();
    lines.put("row.GET/v1/x/{y}", Optional.of(value));
    lines.put("gateway.routes.a", Optional.empty());
    return new SettingsChange(number, NOW, NOW.plusSeconds(10), "admin", "a 'note' – ü", lines);
  }

  @Test
  void aChangeIsReadAsItWasWritten() {
    SettingsChange written = change(1, "0.02");

    assertThat(store.append(nodes.get(0).statements(), written, Map.of("a", "{\"x\":1}"))).isTrue();

    assertThat(store.after(0)).containsExactly(written);
    assertThat(store.after(1)).isEmpty();
    assertThat(store.document(1, "a")).contains("{\"x\":1}");
    assertThat(store.document(1, "b")).isEmpty();
  }

  @Test
  void theSameWrittenAgainIsTheSameAndAnotherOfItsNumberIsNone() {
    SettingsChange written = change(1, "0.02");
    store.append(nodes.get(0).statements(), written, Map.of("a", "{}"));

    assertThat(store.append(nodes.get(0).statements(), written, Map.of("a", "{}"))).isTrue();
    assertThat(store.append(nodes.get(1).statements(), change(1, "0.03"), Map.of())).isFalse();

    assertThat(store.after(0)).containsExactly(written);
  }

  @Test
  void ofTwoNodesThatWriteTheSameNumberAtOnceOneDoes() {
    for (long round = 1; round <= ROUNDS; round++) {
      long number = round;
      CountDownLatch together = new CountDownLatch(1);
      List<CompletableFuture<Boolean>> written = new ArrayList<>();
      for (JdbcLedger node : nodes) {
        SettingsChange mine = change(number, number + "." + nodes.indexOf(node));
        written.add(
            CompletableFuture.supplyAsync(
                () -> {
                  await(together);
                  return appended(node, mine);
                }));
      }
      together.countDown();
      assertThat(written.stream().map(CompletableFuture::join).filter(one -> one)).hasSize(1);
    }
    assertThat(store.after(0)).hasSize(ROUNDS);
  }

  private boolean appended(JdbcLedger node, SettingsChange change) {
    try {
      return store.append(node.statements(), change, Map.of());
    } catch (LedgerUnavailable lostTheRace) {
      return false;
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
