package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.client.Wallet;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes on one PostgreSQL, replaced one after the other while payers call through a proxy
 * that sends each call to a node that takes calls, after a newer version has added to the schema.
 */
@Tag("slow")
class RollingUpgradeIT {

  private static final String SECRET = "A".repeat(43) + "=";
  private static final int PAYERS = 3;
  private static final int CALLS_BETWEEN = 20;

  /** What a later version may do while this one runs: it adds, and changes nothing. */
  private static final List<String> NEWER =
      List.of(
          "ALTER TABLE payment ADD COLUMN of_a_newer_version VARCHAR(20)",
          "CREATE TABLE of_a_newer_version (id BIGINT PRIMARY KEY)",
          """
          INSERT INTO octroi_schema_history (installed_rank, version, description, type, script,
            checksum, installed_by, execution_time, success)
          SELECT MAX(installed_rank) + 1, '9999', 'of a newer version', 'SQL', 'V9999__newer.sql',
            1, 'test', 1, TRUE FROM octroi_schema_history
          """);

  private final List<GatewayNode> nodes = new ArrayList<>();
  private final Queue<Sale> served = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean over = new AtomicBoolean();
  private final ExecutorService threads = Executors.newFixedThreadPool(PAYERS);
  private SharedPostgres server;

  @BeforeEach
  void open(@TempDir Path folder) throws Exception {
    server = SharedPostgres.start();
    for (String name : List.of("one", "two", "three")) {
      Path data = folder.resolve(name);
      nodes.add(
          GatewayNode.start(
              server
                  .under(BuiltJar.quickIn(data, "--port", "0", "--data", data.toString()))
                  .set("gateway.database.node", name)
                  .set("gateway.database.answer-key", SECRET)
                  .set("gateway.keys.master-key", SECRET)));
    }
    nodes.forEach(GatewayNode::awaitReady);
  }

  @AfterEach
  void close() throws Exception {
    over.set(true);
    threads.shutdownNow();
    nodes.forEach(GatewayNode::close);
    if (server != null) {
      server.close();
    }
  }

  @Test
  @Tag("spec:money.2")
  void nodesAreReplacedOneByOneAndNoPayerIsSentAway() throws Exception {
    List<CompletableFuture<Void>> payers = new ArrayList<>();
    for (int i = 0; i < PAYERS; i++) {
      int first = i;
      payers.add(CompletableFuture.runAsync(() -> buy(first), threads));
    }
    awaitMore(payers);
    server.change(NEWER);

    for (GatewayNode node : nodes) {
      node.restart();
      awaitMore(payers);
    }

    over.set(true);
    CompletableFuture.allOf(payers.toArray(CompletableFuture[]::new)).join();
    for (GatewayNode node : nodes) {
      node.stop();
    }
    try (LedgerTables tables = server.tables()) {
      assertThat(tables.payments()).isEqualTo(served.size());
      for (Sale sale : served) {
        assertThat(tables.payment(sale).orElseThrow().debits()).isEqualTo(1);
      }
      tables.assertBooksAgree();
      tables.assertNothingReserved();
    }
  }

  private void awaitMore(List<CompletableFuture<Void>> payers) {
    int before = served.size();
    await()
        .atMost(Running.TIMEOUT)
        .until(
            () ->
                payers.stream().anyMatch(CompletableFuture::isDone)
                    || served.size() >= before + CALLS_BETWEEN);
    assertThat(payers).as("payers who were sent away").noneMatch(CompletableFuture::isDone);
  }

  private void buy(int first) {
    try {
      for (int turn = first; !over.get(); turn++) {
        Offer offer = offer(turn);
        Sale sale = offer.accept(Wallet.generate());
        assertThat(sent(sale, turn)).isEqualTo(200);
        served.add(sale);
      }
    } catch (IOException e) {
      throw new AssertionError("no node took the call", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** As a balancer does it: the next node, where one takes no calls. */
  private Offer offer(int turn) throws IOException, InterruptedException {
    IOException last = new IOException("no node was asked");
    for (int i = 0; i < nodes.size(); i++) {
      try {
        return Offer.read(base(turn + i));
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }

  private int sent(Sale sale, int turn) throws IOException, InterruptedException {
    IOException last = new IOException("no node was asked");
    for (int i = 0; i < nodes.size(); i++) {
      try {
        HttpResponse<String> answer = sale.send(base(turn + i));
        if (answer.statusCode() != 503) {
          return answer.statusCode();
        }
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }

  private URI base(int number) {
    return nodes.get(number % nodes.size()).base();
  }
}
