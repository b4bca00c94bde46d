package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.ledger.PaymentState;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL at random moments under load, round after round on the same data, reconciled from the
 * payers' log and the database alone. {@code -Doctroi.kill.rounds} makes it longer, {@code
 * -Doctroi.kill.seed} repeats its moments and choices.
 */
@Tag("slow")
class KillLoopIT {

  private static final int ROUNDS = Integer.getInteger("octroi.kill.rounds", 3);
  private static final long SEED = Long.getLong("octroi.kill.seed", System.nanoTime());
  private static final int PAYERS = 8;
  private static final int LONGEST_MILLIS = 1200;

  /** So that no payer meets a limit of the gateway. */
  private static final int SALES_OF_A_WALLET = 50;

  private final Queue<Entry> log = new ConcurrentLinkedQueue<>();

  /** What a payer knows of a sale: whether it was answered. */
  private record Entry(Sale sale, boolean answered) {}

  @Test
  @Tag("spec:money.durable")
  @Tag("spec:money.3")
  void whateverIsKilledWheneverNothingIsChargedTwiceOrLost(@TempDir Path folder) throws Exception {
    System.out.println("kill loop: " + ROUNDS + " rounds, -Doctroi.kill.seed=" + SEED);
    Random random = new Random(SEED);
    Map<Sale, Boolean> sales = new HashMap<>();
    try (CountingUpstream upstream = new CountingUpstream()) {
      BuiltJar jar = jar(folder, upstream);
      Running running = jar.start();
      try {
        for (int round = 1; round <= ROUNDS; round++) {
          loadUntilKilled(running, random);
          List<Entry> entries = takeLog();
          judge(entries, folder);
          running = jar.start();
          haveTheRest(entries, running.awaitReady());
          entries.forEach(entry -> sales.put(entry.sale(), true));
        }
        running.terminate();
        assertThat(running.awaitExit()).isZero();
      } finally {
        running.close();
      }
      judgeAtTheEnd(sales.keySet(), folder);
      System.out.println("kill loop: " + sales.size() + " sales, each charged once");
    }
  }

  private static BuiltJar jar(Path folder, CountingUpstream upstream) throws Exception {
    BuiltJar jar =
        BuiltJar.quickIn(folder, "--port", "0", "--data", folder.toString())
            .set("gateway.database.node", "victim");
    for (var setting : upstream.settings().entrySet()) {
      jar = jar.set(setting.getKey(), setting.getValue());
    }
    return jar;
  }

  private void loadUntilKilled(Running running, Random random) throws Exception {
    URI base = running.awaitReady();
    Offer read = Offer.read(base);
    Offer query = Offer.query(base);
    CountDownLatch over = new CountDownLatch(1);
    ExecutorService payers = Executors.newFixedThreadPool(PAYERS);
    try {
      List<CompletableFuture<Void>> ends = new ArrayList<>();
      for (int i = 0; i < PAYERS; i++) {
        Random choice = new Random(random.nextLong());
        ends.add(
            CompletableFuture.runAsync(() -> payUntil(over, base, read, query, choice), payers));
      }
      boolean early = over.await(1L + random.nextInt(LONGEST_MILLIS), TimeUnit.MILLISECONDS);
      assertThat(early).isFalse();
      running.kill();
      over.countDown();
      CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
    } finally {
      payers.shutdownNow();
    }
  }

  private void payUntil(CountDownLatch over, URI base, Offer read, Offer query, Random choice) {
    Wallet wallet = Wallet.generate();
    for (int i = 1; over.getCount() > 0; i++) {
      Sale sale = (choice.nextInt(4) == 0 ? query : read).accept(wallet);
      log.add(new Entry(sale, isAnswered(sale, base)));
      if (i % SALES_OF_A_WALLET == 0) {
        wallet = Wallet.generate();
      }
    }
  }

  private static boolean isAnswered(Sale sale, URI base) {
    try {
      return sale.send(base).statusCode() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private List<Entry> takeLog() {
    List<Entry> entries = List.copyOf(log);
    log.clear();
    return entries;
  }

  /** What the killed process left of a round. */
  private static void judge(List<Entry> entries, Path folder) throws Exception {
    try (LedgerTables tables = LedgerTables.ofFile(folder, folder.resolve("copies"))) {
      for (Entry entry : entries) {
        var row = tables.payment(entry.sale());
        boolean settled = row.isPresent() && row.get().state() == PaymentState.SETTLED;
        assertThat(settled || !entry.answered()).as("answered, not settled: %s", row).isTrue();
        assertThat(row.map(LedgerTables.Row::debits).orElse(0L)).isEqualTo(settled ? 1 : 0);
      }
      tables.assertBooksAgree();
    }
  }

  /** A payer without an answer gets it now with the same payment; one who had it pays no more. */
  private static void haveTheRest(List<Entry> entries, URI base) throws Exception {
    for (Entry entry : entries) {
      if (!entry.answered()) {
        HttpResponse<String> answer = entry.sale().send(base);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      }
    }
    List<Entry> last = entries.subList(Math.max(0, entries.size() - PAYERS), entries.size());
    for (Entry entry : last) {
      HttpResponse<String> again = entry.sale().send(base);
      assertThat(again.statusCode()).as(again.body()).isIn(200, 402);
      assertThat(again.statusCode() == 200 || again.body().contains("nonce_already_used")).isTrue();
    }
  }

  private static void judgeAtTheEnd(Iterable<Sale> sales, Path folder) throws Exception {
    try (LedgerTables tables = LedgerTables.ofFile(folder, folder.resolve("copies"))) {
      Map<Wallet, Long> spent = new HashMap<>();
      long count = 0;
      for (Sale sale : sales) {
        LedgerTables.Row row = tables.payment(sale).orElseThrow();
        assertThat(row.state()).isEqualTo(PaymentState.SETTLED);
        assertThat(row.debits()).isEqualTo(1);
        spent.merge(sale.payer(), row.amount(), Long::sum);
        count++;
      }
      assertThat(tables.payments()).isEqualTo(count).isPositive();
      for (Sale sale : sales) {
        long left = LedgerTables.START - spent.getOrDefault(sale.payer(), 0L);
        assertThat(tables.balance(sale)).isEqualTo(left);
      }
      tables.assertBooksAgree();
      tables.assertNothingReserved();
    }
  }
}
