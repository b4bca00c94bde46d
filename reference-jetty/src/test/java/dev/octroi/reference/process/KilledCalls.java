package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.ledger.PaymentState;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Paid calls of the built jar that end by SIGKILL at a named point: what the database has then, and
 * what a restart on it does with the same payment. Each restart is the next one's victim.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class KilledCalls {

  private final List<Sale> sales = new ArrayList<>();
  private Path folder;
  private CountingUpstream upstream;
  private Running running;
  private Debugger debugger;
  private URI base;

  /** The jar with the settings of the database. */
  abstract BuiltJar on(Path folder, BuiltJar jar);

  /** The tables, while the gateway is dead. */
  abstract LedgerTables tables(Path folder) throws Exception;

  void openDatabase() {}

  void closeDatabase() throws Exception {}

  @BeforeAll
  void open(@TempDir Path data) throws Exception {
    folder = data;
    openDatabase();
    upstream = new CountingUpstream();
  }

  /** However often it was killed, every payment was charged once. */
  @AfterAll
  void everyPaymentWasChargedOnce() throws Exception {
    try {
      if (running != null) {
        for (Sale sale : sales) {
          assertUsedUp(sale);
        }
        running.terminate();
        assertThat(running.awaitExit()).isZero();
        assertEverySaleIsSettled();
      }
    } finally {
      if (running != null) {
        running.close();
      }
      if (upstream != null) {
        upstream.close();
      }
      closeDatabase();
    }
  }

  private void assertEverySaleIsSettled() throws Exception {
    try (LedgerTables tables = tables(folder)) {
      for (Sale sale : sales) {
        LedgerTables.Row row = tables.payment(sale).orElseThrow();
        assertThat(row.state()).isEqualTo(PaymentState.SETTLED);
        assertThat(row.delivered()).isTrue();
        assertCharged(tables, sale, row);
      }
      tables.assertBooksAgree();
      tables.assertNothingReserved();
    }
  }

  /** Kills a call for a read at the point, and judges it. */
  void killReadAt(KillPoint point) throws Exception {
    start();
    killAt(point, Offer.read(base).accept(Wallet.generate()));
  }

  /** Kills a call for a query at the point, and judges it. */
  void killQueryAt(KillPoint point) throws Exception {
    start();
    killAt(point, Offer.query(base).accept(Wallet.generate()));
  }

  private void start() throws Exception {
    if (running != null && running.isAlive()) {
      return;
    }
    BuiltJar jar =
        BuiltJar.quickIn(folder, "--port", "0", "--data", folder.toString())
            .jvm(Debugger.OPTION)
            .set("gateway.database.node", "victim");
    for (var setting : upstream.settings().entrySet()) {
      jar = jar.set(setting.getKey(), setting.getValue());
    }
    running = on(folder, jar).start();
    base = running.awaitReady();
    debugger = Debugger.attach(running.awaitDebugger());
  }

  private void killAt(KillPoint point, Sale sale) throws Exception {
    sales.add(sale);
    final int before = upstream.calls();
    debugger.stopAt(point);
    CompletableFuture<HttpResponse<String>> call = sale.sendAsync(base);
    boolean reached = false;
    try {
      reached =
          debugger.isReached(point, sale.payer().address().toString(), () -> isOf(call, point));
    } finally {
      running.kill();
    }
    assertThat(reached)
        .as(() -> "the call passed " + point + "; it was answered " + answerOf(call))
        .isTrue();
    boolean answered = call.handle((answer, lost) -> lost == null).join();
    assertThat(answered && point.fate() != KillPoint.Fate.CHARGED_AND_ANSWERED)
        .as(() -> "answered before its time: " + answerOf(call))
        .isFalse();
    assertThat(upstream.calls() - before).isBetween(point.isAfterUpstream() ? 1 : 0, 1);
    String transaction;
    try (LedgerTables tables = tables(folder)) {
      transaction = assertLeft(tables, sale, point.fate(), running.said());
    }
    start();
    assertHadOnce(sale, point.fate(), transaction);
  }

  /** What was delivered is noted for many calls at once; this one has its answer before that. */
  private static boolean isOf(CompletableFuture<HttpResponse<String>> call, KillPoint point) {
    if (point == KillPoint.DELIVERY_WRITTEN_NOT_COMMITTED) {
      HttpResponse<String> answer =
          call.copy()
              .completeOnTimeout(null, 2, TimeUnit.SECONDS)
              .handle((got, lost) -> got)
              .join();
      return answer != null && answer.statusCode() == 200;
    }
    return true;
  }

  private static String answerOf(CompletableFuture<HttpResponse<String>> call) {
    return call.isDone()
        ? call.handle((got, lost) -> got == null ? lost.toString() : got.statusCode() + got.body())
            .join()
        : "not yet";
  }

  /** What the killed process left; returns the transaction of a charged payment. */
  private static String assertLeft(LedgerTables tables, Sale sale, KillPoint.Fate fate, String said)
      throws Exception {
    tables.assertBooksAgree();
    Optional<LedgerTables.Row> row = tables.payment(sale);
    if (fate == KillPoint.Fate.NEVER_SEEN) {
      assertThat(row).isEmpty();
      assertThat(tables.balance(sale)).isEqualTo(LedgerTables.START);
      return "";
    }
    LedgerTables.Row found = row.orElseThrow(() -> new AssertionError("no payment"));
    assertThat(found.delivered()).isFalse();
    if (fate == KillPoint.Fate.UNCHARGED) {
      assertThat(found.state()).isEqualTo(PaymentState.CLAIMED);
      assertThat(found.debits()).isZero();
      assertThat(tables.balance(sale)).isEqualTo(LedgerTables.START);
      return "";
    }
    assertThat(found.state())
        .as("state of the payment; the gateway said: %s", said)
        .isEqualTo(PaymentState.SETTLED);
    assertCharged(tables, sale, found);
    return found.transaction();
  }

  private static void assertCharged(LedgerTables tables, Sale sale, LedgerTables.Row row)
      throws Exception {
    assertThat(row.debits()).isEqualTo(1);
    assertThat(tables.balance(sale)).isEqualTo(LedgerTables.START - row.amount());
  }

  /** The same payment gets its answer from the restarted gateway, and is used up by it. */
  private void assertHadOnce(Sale sale, KillPoint.Fate fate, String transaction) throws Exception {
    final int before = upstream.calls();
    HttpResponse<String> answer = sale.send(base);
    assertThat(answer.statusCode()).as(answer.body() + running.said()).isEqualTo(200);
    assertThat(answer.body()).contains(sale.isStored() ? "one" : "price");
    assertThat(answer.headers().firstValue("X-Payment-Receipt").orElse(""))
        .contains(transaction)
        .isNotBlank();
    assertThat(upstream.calls() - before).isEqualTo(fate.isCharged() && sale.isStored() ? 0 : 1);
    assertUsedUp(sale);
  }

  /** A note of delivery that was lost with its process repeats an answer, without a charge. */
  private void assertUsedUp(Sale sale) {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> {
              HttpResponse<String> used = sale.send(base);
              assertThat(used.statusCode()).isEqualTo(402);
              assertThat(used.body()).contains("nonce_already_used");
            });
  }
}
