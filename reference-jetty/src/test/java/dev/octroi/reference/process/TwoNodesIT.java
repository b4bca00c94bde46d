package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.ledger.PaymentState;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Two gateways of the built jar on one PostgreSQL: what one of them charges, both know. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TwoNodesIT {

  private static final String SECRET = "A".repeat(43) + "=";
  private static final int CALLS_PAID = 10;
  private static final int CONNECTIONS = 6;
  private static final int REPEATED = 120;
  private static final Duration TAKEOVER = Duration.ofSeconds(120);

  private final List<Sale> sales = new ArrayList<>();
  private final List<GatewayNode> nodes = new ArrayList<>();
  private Path folder;
  private SharedPostgres server;
  private CountingUpstream upstream;

  private BuiltJar jar(String name) throws Exception {
    Path data = folder.resolve(name);
    BuiltJar jar =
        server
            .under(BuiltJar.quickIn(data, "--port", "0", "--data", data.toString()))
            .set("gateway.database.node", name)
            .set("gateway.reconciler.heartbeat", "3s")
            .set("gateway.database.answer-key", SECRET)
            .set("gateway.keys.master-key", SECRET)
            .set("gateway.limits.in-flight-per-payer", "200");
    for (var setting : upstream.settings().entrySet()) {
      jar = jar.set(setting.getKey(), setting.getValue());
    }
    return jar;
  }

  @BeforeAll
  void open(@TempDir Path data) throws Exception {
    folder = data;
    server = SharedPostgres.start();
    upstream = new CountingUpstream();
    for (String name : List.of("one", "two")) {
      nodes.add(GatewayNode.start(jar(name)));
    }
    nodes.forEach(GatewayNode::awaitReady);
  }

  /** Whatever was done to the nodes, every payment was charged once and the books agree. */
  @AfterAll
  void everyPaymentWasChargedOnce() throws Exception {
    try {
      if (nodes.size() == 2) {
        for (GatewayNode node : nodes) {
          node.stop();
        }
        try (LedgerTables tables = server.tables()) {
          for (Sale sale : sales) {
            assertThat(tables.payment(sale).orElseThrow().debits()).isEqualTo(1);
          }
          tables.assertBooksAgree();
          tables.assertNothingReserved();
        }
      }
    } finally {
      nodes.forEach(GatewayNode::close);
      if (upstream != null) {
        upstream.close();
      }
      if (server != null) {
        server.close();
      }
    }
  }

  private URI base(int number) {
    return nodes.get(number % nodes.size()).base();
  }

  private Sale query() throws Exception {
    Sale sale = Offer.query(base(0)).accept(Wallet.generate());
    sales.add(sale);
    return sale;
  }

  @Test
  @Tag("spec:money.1")
  @Tag("spec:payment.concurrency")
  void theSamePaymentFiftyTimesOnBothIsOneUpstreamCallAndOneCharge() throws Exception {
    Sale sale = query();
    final int before = upstream.calls();

    List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      sent.add(sale.sendAsync(base(i)));
    }

    List<Integer> statuses = sent.stream().map(it -> it.join().statusCode()).toList();
    assertThat(statuses).contains(200).isSubsetOf(200, 402, 409);
    assertThat(upstream.calls() - before).isEqualTo(1);
    try (LedgerTables tables = server.tables()) {
      LedgerTables.Row row = tables.payment(sale).orElseThrow();
      assertThat(row.state()).isEqualTo(PaymentState.SETTLED);
      assertThat(row.debits()).isEqualTo(1);
      assertThat(tables.balance(sale)).isEqualTo(LedgerTables.START - row.amount());
    }
  }

  /** Each connection asks again at once, as long as its payment is being served. */
  @Test
  @Tag("slow")
  @Tag("spec:money.3")
  @Tag("spec:decision.same_payment.delivering")
  void ofConnectionsThatRepeatOnePaymentOnBothOneHasItsAnswer() throws Exception {
    Map<Integer, Integer> byAnswers = new TreeMap<>();
    ExecutorService connections = Executors.newFixedThreadPool(CONNECTIONS);
    try {
      for (int number = 0; number < REPEATED; number++) {
        Offer offer = number % 2 == 0 ? Offer.query(base(number)) : Offer.read(base(number));
        Sale sale = offer.accept(Wallet.generate());
        sales.add(sale);
        AtomicInteger had = new AtomicInteger();
        List<Callable<Integer>> repeats = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
          URI base = base(i);
          repeats.add(() -> repeated(sale, base, had));
        }
        for (Future<Integer> last : connections.invokeAll(repeats)) {
          assertThat(last.get()).isIn(200, 402, 409);
        }
        byAnswers.merge(had.get(), 1, Integer::sum);
      }
    } finally {
      connections.shutdownNow();
    }

    assertThat(byAnswers).as("payments by how many answers they had").containsOnlyKeys(1);
  }

  /** Ends with one more repeat after any connection has had the answer. */
  private static int repeated(Sale sale, URI base, AtomicInteger had) throws Exception {
    int status = 409;
    boolean last = false;
    while (status == 409 && !last) {
      last = had.get() > 0;
      status = sale.send(base).statusCode();
    }
    if (status == 200) {
      had.incrementAndGet();
    }
    return status;
  }

  @Test
  @Tag("spec:limit.managed_spend")
  @Tag("spec:payment.concurrency")
  void of200CallsByOneKeyOnBothABudgetForTenLetsTenThrough() throws Exception {
    long price = Long.parseLong(Offer.read(base(0)).challenge().accepts().get(0).amount());
    Usd budget = new Usd(CALLS_PAID * price);
    Operator operator = nodes.get(0).operator();
    JsonNode key =
        operator.post(
            "keys",
            "{\"name\":\"race\",\"fund\":\"10\",\"daily\":\"%s\"}".formatted(budget.dollars()));
    String secret = key.path("secret").textValue();
    String id = key.at("/key/key/id").textValue();
    final int before = upstream.calls();

    List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      sent.add(Offer.readByKey(base(i), secret));
    }

    List<HttpResponse<String>> answers = sent.stream().map(CompletableFuture::join).toList();
    assertThat(answers).filteredOn(it -> it.statusCode() == 200).hasSize(CALLS_PAID);
    assertThat(answers)
        .filteredOn(it -> it.statusCode() == 429)
        .as("a crowd on a node that is not warm")
        .allSatisfy(asked -> assertThat(asked.headers().firstValue("Retry-After")).isPresent());
    assertThat(answers)
        .filteredOn(it -> it.statusCode() != 200 && it.statusCode() != 429)
        .isNotEmpty()
        .allSatisfy(refused -> assertThat(refused.body()).contains("spend_limit_exceeded"));
    assertThat(upstream.calls() - before).as("some may share an answer").isBetween(1, CALLS_PAID);
    for (GatewayNode node : nodes) {
      JsonNode shown = node.operator().get("keys/" + id);
      assertThat(shown.path("spentToday").textValue()).isEqualTo(budget.dollars());
    }
    operator.assertBooksAgree();
  }

  @Test
  @Tag("spec:money.1")
  @Tag("spec:money.2")
  void aStalledNodeThatWakesUpNeitherDeliversNorReleasesWhatWasTakenOver() throws Exception {
    Sale sale = query();
    GatewayNode stalled = nodes.get(0);
    final int before = upstream.calls();
    upstream.holdNext();
    CompletableFuture<HttpResponse<String>> first = sale.sendAsync(stalled.base());
    await().atMost(Running.TIMEOUT).until(() -> upstream.calls() > before);

    stalled.running().stall();
    AtomicReference<HttpResponse<String>> taken = new AtomicReference<>();
    await()
        .atMost(TAKEOVER)
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> {
              taken.set(sale.send(nodes.get(1).base()));
              return taken.get().statusCode() != 409;
            });
    upstream.letGo();
    stalled.running().wake();

    assertThat(taken.get().statusCode()).as(taken.get().body()).isEqualTo(200);
    HttpResponse<String> late = first.join();
    // Whether it has slept longer than a query may take decides which of them it is.
    assertThat(late.statusCode()).as(late.body()).isIn(408, 502, 503);
    assertThat(late.body()).doesNotContain("\"one\"");
    try (LedgerTables tables = server.tables()) {
      assertThat(tables.payment(sale).orElseThrow().debits()).isEqualTo(1);
    }
    await()
        .atMost(Running.TIMEOUT)
        .until(() -> sale.send(stalled.base()).body().contains("nonce_already_used"));
  }

  @Test
  @Tag("spec:money.2")
  @Tag("spec:money.3")
  void aRollingRestartUnderLoadLosesNoPaymentAndChargesNoneTwice() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    List<CompletableFuture<List<Sale>>> clients = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int number = i;
      clients.add(CompletableFuture.supplyAsync(() -> shop(number, over)));
    }

    for (GatewayNode node : nodes) {
      node.restart();
    }
    over.set(true);

    List<Sale> bought = clients.stream().flatMap(it -> it.join().stream()).toList();
    assertThat(bought).isNotEmpty();
    sales.addAll(bought);
  }

  /** Buys one thing after the other, each until it is had, on whichever node answers. */
  private List<Sale> shop(int number, AtomicBoolean over) {
    List<Sale> bought = new ArrayList<>();
    Wallet payer = Wallet.generate();
    while (!over.get()) {
      AtomicReference<Sale> sale = new AtomicReference<>();
      await()
          .atMost(Running.TIMEOUT)
          .pollInterval(Duration.ofMillis(50))
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(
              () -> {
                URI base = base(number + bought.size());
                sale.compareAndSet(null, Offer.query(base).accept(payer));
                return isHad(sale.get(), number + bought.size());
              });
      bought.add(sale.get());
    }
    return bought;
  }

  /** Tries both nodes; a payment that was delivered without our hearing of it is had as well. */
  private boolean isHad(Sale sale, int first) throws IOException, InterruptedException {
    for (int i = 0; i < nodes.size(); i++) {
      try {
        HttpResponse<String> answer = sale.send(base(first + i));
        if (answer.statusCode() == 200) {
          return true;
        }
        assertThat(answer.statusCode()).as(answer.body()).isIn(409, 502, 503);
      } catch (IOException e) {
        // This one is just being restarted: the other one is asked.
      }
    }
    return false;
  }
}
