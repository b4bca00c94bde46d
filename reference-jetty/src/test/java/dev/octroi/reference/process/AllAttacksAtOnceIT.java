package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two gateways on one PostgreSQL and a real chain, attacked in every way at the same time: slow
 * bodies, broken uploads, hostile SQL, each payment sent on six connections, one of the nodes
 * killed again and again, and a facilitator that fails or falls silent after it has sent. {@code
 * -Doctroi.attack.minutes} says for how long, {@code -Doctroi.attack.seed} repeats the moments.
 */
@Tag("slow")
class AllAttacksAtOnceIT {

  private static final Duration LENGTH =
      Duration.ofMinutes(Long.getLong("octroi.attack.minutes", 1));
  private static final long SEED = Long.getLong("octroi.attack.seed", System.nanoTime());

  /** The longest time in which no payer is served, on a machine with more to do. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(20);

  /**
   * How long an authorization is valid. The chain disproves a settlement that a killed node never
   * sent only when the authorization is over in a final block, so blocks go on after the attack.
   */
  private static final Duration VALIDITY = Duration.ofMinutes(1);

  /** A dead node's payments are closed by the other one, and doubts by the chain. */
  private static final Duration ALL_CLOSED = Duration.ofMinutes(5);

  private static final Duration BREATH = Duration.ofMillis(50);
  private static final int SLOW_BODIES = 350;
  private static final int REPEATS = 6;
  private static final int PAYERS = 13;
  private static final String SQL = "/v1/marketplace/cryptodata/onchain/sql";
  private static final List<String> HOSTILE =
      List.of(
          "SELECT SPACE(CAST(2147483646 + x AS INT)) FROM SYSTEM_RANGE(1,1)",
          "SELECT FILE_READ('master.key')",
          "SELECT * FROM LINK_SCHEMA('S', '', 'jdbc:h2:mem:x', 'sa', '', 'PUBLIC')",
          "SELECT COUNT(*) FROM SYSTEM_RANGE(1, 1000000000) a, SYSTEM_RANGE(1, 1000000000) b",
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n",
          "SHUTDOWN IMMEDIATELY");

  private final List<GatewayNode> nodes = new ArrayList<>();
  private final Queue<Sale> sales = new ConcurrentLinkedQueue<>();

  /** Payments whose answer was had more than once though the node that served them lived. */
  private final Queue<String> servedTwice = new ConcurrentLinkedQueue<>();

  private final Queue<String> unexpected = new ConcurrentLinkedQueue<>();
  private final AtomicInteger served = new AtomicInteger();
  private final AtomicLong lastServed = new AtomicLong();
  private final AtomicLong longestSilence = new AtomicLong();
  private final AtomicLong lastKill = new AtomicLong();
  private final Map<Integer, AtomicInteger> statuses = new ConcurrentHashMap<>();
  private final AtomicBoolean over = new AtomicBoolean();
  private SharedPostgres server;
  private ChainShop shop;
  private GatewayNode settling;
  private DoubtfulFacilitator facilitator;

  @BeforeEach
  void open(@TempDir Path folder) throws Exception {
    server = SharedPostgres.start();
    shop = new ChainShop();
    settling =
        GatewayNode.start(
                shop.quickJar(folder.resolve("facilitator"))
                    .set("gateway.facilitator.serve", "true")
                    .set("gateway.facilitator.serve-per-minute", "1000000"))
            .awaitReady();
    facilitator = DoubtfulFacilitator.before(settling.base());
    for (String name : List.of("one", "two")) {
      BuiltJar jar =
          server.under(
              shop.quickJarBehind(URI.create(facilitator.address()), folder.resolve(name)));
      nodes.add(
          GatewayNode.start(
              jar.set("gateway.database.node", name)
                  .set("gateway.payments.max-timeout", VALIDITY.toSeconds() + "s")
                  .set("gateway.limits.unpaid-per-minute", "1000000")));
    }
    nodes.forEach(GatewayNode::awaitReady);
  }

  @AfterEach
  void close() throws Exception {
    try {
      nodes.forEach(GatewayNode::close);
    } finally {
      if (facilitator != null) {
        facilitator.close();
      }
      if (settling != null) {
        settling.close();
      }
      if (shop != null) {
        shop.close();
      }
      server.close();
    }
  }

  /** One thing that goes on until all is over. */
  private interface Attack {
    void run() throws Exception;
  }

  @Test
  @Tag("spec:money.1")
  @Tag("spec:money.5")
  void payersAreServedThroughoutAndTheBooksAgreeWithTheChain() throws Exception {
    System.out.println("all attacks: " + LENGTH + ", -Doctroi.attack.seed=" + SEED);
    URI steady = nodes.get(0).base();
    Random random = new Random(SEED);
    ExecutorService threads = Executors.newCachedThreadPool();
    List<CompletableFuture<Void>> under = new ArrayList<>();
    Offer read = Offer.read(steady);
    Offer query = Offer.query(steady);
    List<Wallet> payers = Stream.generate(shop::payer).limit(PAYERS).toList();
    lastServed.set(System.nanoTime());
    for (Attack attack :
        List.<Attack>of(
            () -> buyUntilOver(read, payers.subList(0, 4)),
            () -> buyUntilOver(read, payers.subList(4, 8)),
            () -> buyUntilOver(query, payers.subList(8, 12)),
            () -> harmUntilOver(payers.get(12)),
            () -> BrokenRequests.dripUntil(over::get, steady, SLOW_BODIES),
            () -> BrokenRequests.breakOffUntil(over::get, steady),
            () -> killUntilOver(random))) {
      under.add(CompletableFuture.runAsync(() -> go(attack), threads));
    }
    CompletableFuture<?> any = CompletableFuture.anyOf(under.toArray(CompletableFuture[]::new));
    long end = System.nanoTime() + LENGTH.toNanos();
    while (System.nanoTime() < end && !any.isDone()) {
      LockSupport.parkNanos(BREATH.toNanos());
    }
    noteSilence();
    over.set(true);
    CompletableFuture.allOf(under.toArray(CompletableFuture[]::new)).join();
    threads.shutdown();
    judge(steady);
  }

  private static void go(Attack attack) {
    try {
      attack.run();
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  private void killUntilOver(Random random) throws Exception {
    while (!over.get()) {
      long pause = System.nanoTime() + Duration.ofSeconds(5 + random.nextInt(15)).toNanos();
      while (System.nanoTime() < pause && !over.get()) {
        LockSupport.parkNanos(BREATH.toNanos());
      }
      lastKill.set(System.nanoTime());
      nodes.get(1).killAndRestart();
    }
  }

  /** Each payment on six connections to both nodes, until its answer was had. */
  private void buyUntilOver(Offer offer, List<Wallet> payers) {
    for (int turn = 0; !over.get(); turn++) {
      Sale sale = offer.accept(payers.get(turn % payers.size()));
      sales.add(sale);
      buy(sale);
      LockSupport.parkNanos(BREATH.toNanos());
    }
  }

  private void buy(Sale sale) {
    long begin = System.nanoTime();
    List<CompletableFuture<Optional<HttpResponse<String>>>> asked = new ArrayList<>();
    for (int i = 0; i < REPEATS; i++) {
      asked.add(ask(sale, nodes.get(i % nodes.size()).base()));
    }
    int had = 0;
    for (CompletableFuture<Optional<HttpResponse<String>>> one : asked) {
      Optional<HttpResponse<String>> answer = one.join();
      if (answer.isPresent() && isServed(answer.get())) {
        had++;
      }
    }
    if (had > 1 && lastKill.get() < begin) {
      servedTwice.add(sale.offer().target() + ": " + had);
    }
  }

  private static CompletableFuture<Optional<HttpResponse<String>>> ask(Sale sale, URI base) {
    return sale.sendAsync(base).handle((answer, failed) -> Optional.ofNullable(answer));
  }

  private boolean isServed(HttpResponse<String> answer) {
    statuses.computeIfAbsent(answer.statusCode(), any -> new AtomicInteger()).incrementAndGet();
    if (answer.statusCode() == 200) {
      served.incrementAndGet();
      noteSilence();
      return true;
    }
    if (!List.of(402, 409, 429, 502, 503).contains(answer.statusCode())
        || answer.statusCode() == 402 && !answer.body().contains("nonce_already_used")) {
      unexpected.add(answer.statusCode() + " " + answer.body());
    }
    return false;
  }

  private void noteSilence() {
    long now = System.nanoTime();
    long silence = now - lastServed.getAndSet(now);
    longestSilence.accumulateAndGet(silence, Math::max);
  }

  /** Statements that mean harm, each with a payment: none is charged unless it is answered. */
  private void harmUntilOver(Wallet payer) throws Exception {
    for (int turn = 0; !over.get(); turn++) {
      URI base = nodes.get(0).base();
      String body = "{\"sql\":\"" + HOSTILE.get(turn % HOSTILE.size()) + "\"}";
      Sale sale = Offer.ask(base, SQL, body).accept(payer);
      sales.add(sale);
      HttpResponse<String> answer = sale.send(base);
      if (!List.of(200, 400, 409, 422, 429, 502, 503, 504).contains(answer.statusCode())) {
        unexpected.add(body + ": " + answer.statusCode() + " " + answer.body());
      }
      LockSupport.parkNanos(BREATH.toNanos());
    }
  }

  private void judge(URI base) throws Exception {
    System.out.printf(
        "all attacks: %d payments, %d answers, statuses %s, %d doubts made, longest silence %d ms,"
            + " served twice %s%n",
        sales.size(),
        served.get(),
        statuses,
        facilitator.doubts(),
        longestSilence.get() / 1_000_000,
        servedTwice);
    assertThat(unexpected).isEmpty();
    assertThat(servedTwice).isEmpty();
    assertThat(served.get()).isPositive();
    assertThat(facilitator.doubts()).isPositive();
    assertThat(Duration.ofNanos(longestSilence.get())).isLessThan(LONGEST_SILENCE);
    try (LedgerTables tables = server.tables()) {
      await()
          .atMost(ALL_CLOSED)
          .pollInterval(Duration.ofSeconds(1))
          .untilAsserted(
              () -> {
                shop.anvil.mine(1);
                assertThat(tables.open()).isEmpty();
              });
      long earned = 0;
      for (Sale sale : sales) {
        Optional<LedgerTables.Row> row = tables.payment(sale);
        boolean settled = row.isPresent() && row.get().state() == PaymentState.SETTLED;
        assertThat(isOnChain(sale)).as("on chain: %s", row).isEqualTo(settled);
        if (settled) {
          assertThat(row.get().debits()).isEqualTo(1);
          earned += row.get().amount();
          if (!row.get().delivered()) {
            assertIsStillHad(sale, base);
          }
        }
      }
      assertThat(shop.earned()).isEqualTo(earned);
      tables.assertNothingReserved();
      tables.assertBooksAgree();
    }
    assertThat(Offer.query(base).accept(shop.payer()).send(base).statusCode()).isIn(200, 503);
    nodes.get(0).operator().assertBooksAgree();
  }

  /** What was paid for and not delivered is delivered to the same payment. */
  private static void assertIsStillHad(Sale sale, URI base) {
    await()
        .atMost(Running.TIMEOUT)
        .untilAsserted(
            () -> {
              HttpResponse<String> answer = sale.send(base);
              assertThat(answer.statusCode() == 200 || answer.body().contains("nonce_already_used"))
                  .as(answer.body())
                  .isTrue();
            });
  }

  private boolean isOnChain(Sale sale) throws IOException {
    return shop.coin.authorizationState(sale.payer().address().toString(), sale.nonce());
  }
}
